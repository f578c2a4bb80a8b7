// A stand-in for `logit-classifier serve` that serves the page under its real
// Content-Security-Policy and answers with plausible numbers. Its entry is startFakeServer; run by
// itself it listens on the port given. Used by page_test.mjs.
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {fileURLToPath} from 'node:url';

const PAGE = fileURLToPath(new URL('../../apps/serve/page.html', import.meta.url));

function hashOf(page, tag) {
  const found = [...page.matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g'))];
  if (found.length !== 1) throw new Error(`the page has ${found.length} ${tag} elements, not one`);
  return `'sha256-${createHash('sha256').update(found[0][1]).digest('base64')}'`;
}

export function contentSecurityPolicy(page) {
  return (
    `default-src 'none'; style-src ${hashOf(page, 'style')}; script-src ${hashOf(page, 'script')}; ` +
    `connect-src 'self'; img-src data: blob:; base-uri 'none'; form-action 'none'`
  );
}

// ---- Request text -> ordered pairs: JSON.parse would reorder number-like option names ----

// Objects as arrays of [key, value] under the key `pairs`; enough for a body that is valid JSON.
function ordered(text) {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g);
  let at = 0;
  const value = () => {
    const token = tokens[at++];
    if (token === '{') return {pairs: list('}', () => [JSON.parse(tokens[at++]), (at++, value())])};
    if (token === '[') return list(']', value);
    return JSON.parse(token);
  };
  const list = (close, item) => {
    const items = [];
    while (tokens[at] !== close) {
      items.push(item());
      if (tokens[at] === ',') at++;
    }
    at++;
    return items;
  };
  return value();
}

const get = (object, key) => object.pairs.find(([name]) => name === key)?.[1];

// ---- Faults and answers ----

const isPicture = (text) => /data:image\/[a-z]+;base64,/i.test(String(text));

function faultsOf(body) {
  const faults = [];
  const add = (type, msg, ...loc) => faults.push({type, loc: ['body', ...loc], msg});
  const check = (value, ...loc) => {
    if (isPicture(value)) add('unsupported', 'pictures are not supported by this version', ...loc);
  };
  check(get(body, 'state'), 'state');
  for (const [id, question] of get(body, 'questions').pairs) {
    const at = ['questions', id];
    const criteria = get(question, 'criteria');
    check(get(question, 'instructions'), ...at, 'instructions');
    if (Array.isArray(criteria)) criteria.forEach((level, i) => check(level, ...at, 'criteria', i));
    else
      for (const [name, text] of criteria?.pairs ?? []) check(name + text, ...at, 'criteria', name);
  }
  return faults;
}

// The same text gets the same numbers: weights from a hash, the first candidate ahead.
function sharesOf(names, seed) {
  const weights = names.map(
    (name, i) =>
      (1 +
        createHash('sha256')
          .update(seed + name)
          .digest()[0] /
          64) **
        3 +
      (i === 0 ? 250 : 0)
  );
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

function answerText(question, seed) {
  const type = get(question, 'type');
  const members = [`"type":"${type}"`];
  const push = (key, json) => members.push(`${JSON.stringify(key)}:${json}`);
  const map = (names, shares) =>
    `{${names.map((name, i) => `${JSON.stringify(name)}:${shares[i]}`).join()}}`;
  if (type === 'noul') {
    push('noul', 0.931);
  } else if (type === 'choice') {
    const names = get(question, 'criteria').pairs.map(([name]) => name);
    const shares = sharesOf(names, seed);
    const n = names.length;
    const best = shares.indexOf(Math.max(...shares));
    push('choice', JSON.stringify(names[best]));
    push('probabilities', map(names, shares));
    push('confidence', n === 1 ? 1 : (shares[best] - 1 / n) / (1 - 1 / n));
  } else {
    const levels = get(question, 'criteria');
    const shares = sharesOf(levels, seed).reverse();
    push(
      'score',
      shares.reduce((sum, p, i) => sum + p * i, 0)
    );
    push('legend', `{${levels.map((level, i) => `"${i}":${JSON.stringify(level)}`).join()}}`);
    push(
      'probabilities',
      map(
        levels.map((level, i) => String(i)),
        shares
      )
    );
    push('confidence', 0.74);
  }
  push('x_readout', '"label"');
  push('x_label_mass', 0.97);
  if (seed.includes('unsure'))
    push('x_warning', '"the labels hold less than half of the model\'s probability"');
  return `{${members.join()}}`;
}

function replyText(body) {
  const seed = JSON.stringify(get(body, 'state'));
  const answers = get(body, 'questions').pairs.map(
    ([id, question]) => `${JSON.stringify(id)}:${answerText(question, seed)}`
  );
  return `{"model":"fake-135m","answers":{${answers.join()}},"usage":{"input_tokens":${40 + seed.length},"output_tokens":0}}`;
}

// ---- HTTP ----

const errorText = (type, message) => JSON.stringify({detail: {error_type: type, message}});

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function answer(request, settings, policy, page) {
  const path = new URL(request.url, 'http://localhost').pathname;
  if (path === '/') {
    return [
      200,
      page,
      {'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy},
    ];
  }
  if (path === '/readyz') {
    return [
      200,
      JSON.stringify({
        status: 'ready',
        model: 'fake-135m',
        vision: settings.vision === true,
        warnings: [],
      }),
    ];
  }
  if (settings.key && request.headers.authorization !== `Bearer ${settings.key}`) {
    return [
      401,
      errorText('authentication_error', 'a valid API key is needed'),
      {'WWW-Authenticate': 'Bearer'},
    ];
  }
  if (path === '/v1/models') {
    return [
      200,
      JSON.stringify({
        models: [{name: 'fake-135m', description: 'a fake', release_date: '2026-01-01'}],
      }),
    ];
  }
  if (path !== '/v1/systemone') return [404, errorText('not_found', 'no such path')];
  const body = ordered(await bodyOf(request));
  const faults = faultsOf(body);
  if (faults.length > 0) return [422, JSON.stringify({detail: faults})];
  return [200, replyText(body)];
}

// settings: {port, key, vision}. Resolves to {url, close()}.
export async function startFakeServer(settings = {}) {
  const page = readFileSync(PAGE, 'utf8');
  const policy = contentSecurityPolicy(page);
  const server = createServer(async (request, response) => {
    const [status, text, headers] = await answer(request, settings, policy, page);
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'x-typesafe-request-id': 'req_0123456789',
      'Server-Timing': 'queue;dur=0.1, evaluate;dur=1.7, total;dur=2.3',
      ...headers,
    });
    response.end(text);
  });
  await new Promise((resolve) => server.listen(settings.port ?? 0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve))),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(
    (await startFakeServer({port: Number(process.argv[2] ?? 8078), key: process.argv[3]})).url
  );
}
