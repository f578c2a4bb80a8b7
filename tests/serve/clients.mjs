// The official JavaScript client (npm @typesafe-ai/sdk 0.6.0) against a running server.
// Usage: clients.mjs SDK_FOLDER URL KEY. The server must run with --strict-model and that key.
// Prints what was checked; exits 1 at the first surprise. Called by conformance.sh.
import {pathToFileURL} from 'node:url';
import {join} from 'node:path';

const [folder, url, key] = process.argv.slice(2);
const sdk = await import(
  pathToFileURL(join(folder, 'node_modules/@typesafe-ai/sdk/dist/index.mjs')).href
);

let checks = 0;
function check(fact, what) {
  checks++;
  if (fact) return;
  console.error(`javascript client: FAILED: ${what}`);
  process.exit(1);
}

async function repliesCounted(code) {
  const reply = await fetch(`${url}/metrics`, {headers: {Authorization: `Bearer ${key}`}});
  const wanted = `logit_requests_total{route="/v1/systemone",code="${code}"} `;
  const line = (await reply.text()).split('\n').find((text) => text.startsWith(wanted));
  return line ? Number(line.slice(wanted.length)) : 0;
}

async function refused(kind, code, what, ask) {
  const before = await repliesCounted(code);
  const error = await ask().then(
    () => null,
    (fault) => fault
  );
  check(error instanceof kind, `${what}: ${error}`);
  check(error.status === code, `${what}: status ${error.status}, not ${code}`);
  check((await repliesCounted(code)) - before <= 1, `${what}: was sent again`);
}

const make = (options) =>
  new sdk.TypeSafeClient({apiKey: key, baseURL: url, timeout: 120000, ...options});
const client = make();
const questions = {
  angry: sdk.noul('Is the writer angry?'),
  desk: sdk.choice('Which desk?', {billing: null, technical: 'broken things', sales: null}),
  mood: sdk.score('How angry?', ['calm', 'cross', 'furious']),
};
const ask = {state: 'Charged twice, fix it now!', questions};

const reply = await client.systemOne(ask);
check(reply.answers.angry.noul >= 0 && reply.answers.angry.noul <= 1, 'noul');
check(['billing', 'technical', 'sales'].includes(reply.answers.desk.choice), 'choice');
check(reply.answers.mood.score >= 0 && reply.answers.mood.score <= 2, 'score');
check(Object.keys(reply.answers.mood.probabilities).length === 3, 'score probabilities');

const models = await client.models.list();
check(JSON.stringify(models).includes('jev-latest'), 'models');

await refused(sdk.UnprocessableEntityError, 422, 'a bad question', () =>
  client.systemOne({state: 'x', questions: {q: {type: 'choice', criteria: {}}}})
);
await refused(sdk.BadRequestError, 400, 'an unknown model', () =>
  client.systemOne({...ask, model: 'no-such-model'})
);
await refused(sdk.AuthenticationError, 401, 'a wrong key', () =>
  make({apiKey: 'wrong'}).systemOne(ask)
);
await refused(sdk.NotFoundError, 404, 'a wrong path', () =>
  make({baseURL: `${url}/nowhere`}).systemOne(ask)
);
await refused(sdk.APIError, 413, 'a state beyond the context', () =>
  client.systemOne({state: 'word '.repeat(20000), questions})
);

console.log(`javascript client: ${checks} checks passed (@typesafe-ai/sdk ${sdk.VERSION})`);
