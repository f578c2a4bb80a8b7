// The page in headless Chromium: what it sends, what it shows, and that it keeps to its
// Content-Security-Policy. Run with `node --test tests/page/`.
//   PAGE_URL         a running server to test instead of the fake one
//   PLAYWRIGHT_CORE  the folder of the npm package playwright-core
//   CHROMIUM         the browser, /usr/bin/chromium if not set
// Without the package or the browser every test is skipped, and says so.
import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {createRequire} from 'node:module';
import {after, before, describe, test} from 'node:test';
import {promisify} from 'node:util';
import {startFakeServer} from './fake_server.mjs';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

function findPlaywright() {
  try {
    return createRequire(import.meta.url)(process.env.PLAYWRIGHT_CORE ?? 'playwright-core')
      .chromium;
  } catch {
    return null;
  }
}

const chromium = findPlaywright();
const missing = !chromium
  ? 'playwright-core is missing: npm install it somewhere, set PLAYWRIGHT_CORE to its folder'
  : !existsSync(CHROMIUM)
    ? `no browser at ${CHROMIUM}: install chromium or set CHROMIUM`
    : false;

describe('the page', {skip: missing}, () => {
  let browser;
  let server;

  before(async () => {
    server = process.env.PAGE_URL
      ? {url: process.env.PAGE_URL, close: () => {}}
      : await startFakeServer();
    browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  // Opens the page, runs `body(page, sent)` with the bodies sent so far, and then looks for
  // complaints: page errors, console errors other than the browser's note about a status, and CSP.
  async function visit(body, {url = server.url, ...options} = {}) {
    const context = await browser.newContext({viewport: {width: 1280, height: 900}, ...options});
    const page = await context.newPage();
    const complaints = [];
    const sent = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      const isStatus = message
        .text()
        .startsWith('Failed to load resource: the server responded with a status');
      const isBad = ['error', 'warning'].includes(message.type());
      if (isBad && !isStatus) complaints.push(message.text());
    });
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.postData());
    });
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP ${event.violatedDirective}`)
      );
    });
    await page.goto(url);
    await page.locator('#service-dot[data-is="ready"]').waitFor({state: 'attached'});
    try {
      await body(page, sent);
      assert.deepEqual(complaints, []);
    } finally {
      await context.close();
    }
  }

  const box = (page, name) => page.getByRole('textbox', {name, exact: true});
  const ask = (page) => page.getByRole('button', {name: 'Ask', exact: true}).click();
  const example = (page, name) => page.getByRole('button', {name, exact: true}).click();
  const answers = (page) => page.locator('.answer');
  const reply = (page, status, json) =>
    page.route('**/v1/systemone', (route) =>
      route.fulfill({status, contentType: 'application/json', body: JSON.stringify(json)})
    );

  async function useChoice(page, names) {
    await page.getByLabel('Kind of answer').selectOption('choice');
    for (let i = 2; i < names.length; i++)
      await page.getByRole('button', {name: 'Option', exact: true}).click();
    for (let i = 0; i < names.length; i++) await box(page, `Option ${i + 1}: name`).fill(names[i]);
  }

  async function askAndWait(page) {
    await ask(page);
    await answers(page).first().waitFor();
  }

  test('TheServerSendsAStrictPolicy', async () => {
    const response = await fetch(server.url);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'sha256-/);
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.doesNotMatch(
      await response.text(),
      /innerHTML|insertAdjacentHTML|document\.write|[^-]eval\(| on[a-z]+="| style="/
    );
  });

  test('EveryExampleIsAnswered', () =>
    visit(async (page) => {
      for (const [name, n] of [
        ['Ticket routing', 3],
        ['Moderation', 2],
        ['Sentiment score', 1],
      ]) {
        await example(page, name);
        await ask(page);
        await page.waitForFunction(
          (count) => document.querySelectorAll('.answer').length === count,
          n
        );
      }
      await page.getByText('Timing and request id').click();
      assert.match(await page.locator('#timing-lines').innerText(), /Request: req_/);
      assert.match(
        await page.locator('#facts').innerText(),
        /Model\s+\S+[^]*Time\s+[0-9.]+ m?s[^]*Tokens\s+[0-9,]+ in, 0 out/
      );
    }));

  test('NumberLikeOptionNamesKeepTheirOrder', () =>
    visit(async (page, sent) => {
      const names = ['10', '9', 'b', '01', '__proto__'];
      await box(page, 'Name in the reply').fill('__proto__');
      await useChoice(page, names);
      await box(page, 'Option 1: meaning').fill('ten');
      await askAndWait(page);
      assert.match(
        sent[0],
        /"__proto__": \{[^]*"10": "ten",\s+"9": null,\s+"b": null,\s+"01": null,\s+"__proto__": null\s+\}/
      );
      assert.deepEqual(await answers(page).locator('.bars li:not(.abstain) .name').allInnerTexts(), names);
      assert.equal(await answers(page).locator('h3').innerText(), '__proto__');
      for (const share of await answers(page).locator('.share').allInnerTexts())
        assert.match(share, /[0-9] %$/);
    }));

  test('AFaultAtALevelMarksThatLevel', () =>
    visit(async (page) => {
      await box(page, 'Name in the reply').fill('q');
      await page.getByLabel('Kind of answer').selectOption('score');
      await box(page, 'Level 0').fill('low');
      await box(page, 'Level 1').fill('data:image/png;base64,AAAA');
      await box(page, 'Level 2').fill('high');
      await ask(page);
      await page.locator('[aria-invalid="true"]').waitFor();
      assert.equal(await page.locator('[aria-invalid="true"]').count(), 1);
      assert.equal(
        await page.evaluate(() => document.activeElement.getAttribute('aria-label')),
        'Level 1'
      );
      assert.match(await page.locator('.item .fault:visible').innerText(), /[Pp]icture/);
      await box(page, 'Level 1').fill('middle');
      assert.equal(await page.locator('[aria-invalid="true"]').count(), 0);
      await askAndWait(page);
    }));

  test('EveryLocFindsItsField', () =>
    visit(async (page) => {
      const fault = (...loc) => ({type: 'x', loc: ['body', ...loc], msg: `at ${loc.join('/')}`});
      await example(page, 'Ticket routing');
      await box(page, 'Option 1: name').fill('toString');
      await reply(page, 422, {
        detail: [
          fault('state', 'deep', 3),
          fault('questions', 'team', 'type'),
          fault('questions', 'team', 'criteria', 'toString'),
          fault('questions', 'refund', 'instructions'),
          fault('questions', 'refund', 'criteria', 'false'),
          fault('questions', 'urgency', 'criteria', 2),
          fault('questions', 'urgency'),
          fault('questions', 'nobody'),
          fault('seed'),
          fault(),
        ],
      });
      await ask(page);
      await page.locator('#trouble').waitFor();
      const notes = await page.locator('[aria-invalid="true"]').evaluateAll((inputs) =>
        inputs.map((input) =>
          input
            .getAttribute('aria-describedby')
            .split(' ')
            .map((id) => document.getElementById(id))
            .filter((note) => note.classList.contains('fault'))
            .map((note) => note.textContent)
            .join()
        )
      );
      assert.deepEqual(notes, [
        'At state/deep/3.',
        'At questions/team/type.',
        'At questions/team/criteria/toString.',
        'At questions/refund/instructions.',
        'At questions/refund/criteria/false.',
        'At questions/urgency.',
        'At questions/urgency/criteria/2.',
      ]);
      assert.equal(await page.locator('#questions-fault').innerText(), 'At questions/nobody.');
      assert.match(
        await page.locator('#trouble').innerText(),
        /8 fields to correct[^]*seed: at seed\s+at$/
      );
    }));

  test('WhatIsTypedStaysText', () =>
    visit(async (page, sent) => {
      const evil = '<img src=x onerror=alert(1)><b>"\'`${1}</b>';
      await page.locator('#state').fill(evil);
      await box(page, 'Name in the reply').fill(evil);
      await box(page, 'Question').fill(evil);
      await useChoice(page, [evil, 'b']);
      await askAndWait(page);
      assert.deepEqual(JSON.parse(sent[0]).state, evil);
      assert.equal(await answers(page).locator('h3').innerText(), evil);
      assert.equal(await answers(page).locator('.name').first().innerText(), evil);
      assert.equal(await page.locator('img, b:not(.scale b)').count(), 0);
    }));

  test('TheKeyboardAloneAsksAQuestion', () =>
    visit(async (page, sent) => {
      const focus = async (matches) => {
        for (let i = 0; i < 60; i++) {
          await page.keyboard.press('Tab');
          const name = await page.evaluate(() => {
            const at = document.activeElement;
            return at.getAttribute('aria-label') ?? at.labels?.[0]?.innerText ?? at.innerText;
          });
          if (name.startsWith(matches)) return;
        }
        assert.fail(`Tab does not reach ${matches}`);
      };
      await focus('State');
      await page.keyboard.type('I want my money back');
      await focus('Kind of answer');
      await page.keyboard.press('c');
      await focus('Question');
      await page.keyboard.type('Which desk?');
      await focus('Option 1: name');
      await page.keyboard.type('refunds');
      await page.keyboard.press('Enter');
      await page.keyboard.type('other');
      await page.keyboard.press('Enter');
      await page.keyboard.type('first');
      await page.keyboard.press('Alt+ArrowUp');
      await page.keyboard.press('Control+Enter');
      await answers(page).first().waitFor();
      assert.deepEqual(JSON.parse(sent[0]), {
        state: 'I want my money back',
        questions: {
          q1: {
            type: 'choice',
            instructions: 'Which desk?',
            criteria: {refunds: null, first: null, other: null},
          },
        },
      });
      assert.deepEqual(Object.keys(JSON.parse(sent[0]).questions.q1.criteria), [
        'refunds',
        'first',
        'other',
      ]);
      assert.match(await page.locator('#heard').innerText(), /^q1: \S+, /);
    }));

  test('QuestionsAndOptionsCanBeAddedCopiedMovedAndRemoved', () =>
    visit(async (page, sent) => {
      await example(page, 'Ticket routing');
      await page.getByRole('button', {name: 'Duplicate: question 1', exact: true}).click();
      await page.getByRole('button', {name: 'Move down: question 2', exact: true}).click();
      await page.getByRole('button', {name: 'Remove: question 1', exact: true}).click();
      await page.getByRole('button', {name: 'Remove: option 4', exact: true}).click();
      await page.getByRole('button', {name: 'Move up: option 3', exact: true}).click();
      await page.getByRole('button', {name: 'Duplicate: option 1', exact: true}).click();
      await page.getByRole('button', {name: 'Move up: level 3', exact: true}).click();
      await page.getByRole('button', {name: 'Yes or no', exact: true}).click();
      await page.keyboard.type('Angry?');
      await askAndWait(page);
      const {questions} = JSON.parse(sent[0]);
      assert.deepEqual(Object.keys(questions), ['refund', 'team 2', 'urgency', 'q4']);
      assert.deepEqual(Object.keys(questions['team 2'].criteria), [
        'billing',
        'billing 2',
        'sales',
        'technical',
      ]);
      assert.deepEqual(questions.urgency.criteria, ['can wait', 'this week', 'right now', 'today']);
      await page.getByRole('button', {name: 'Remove: question 1', exact: true}).click();
      await page.getByRole('button', {name: 'Undo'}).click();
      assert.equal(await page.locator('.question').count(), 4);
    }));

  test('APastedListBecomesOptions', () =>
    visit(async (page, sent) => {
      await page.getByLabel('Kind of answer').selectOption('choice');
      await box(page, 'Option 1: name').evaluate((input) => {
        const data = new DataTransfer();
        data.setData('text/plain', '2\r\n1\n\nthree\n');
        input.dispatchEvent(
          new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true})
        );
      });
      await askAndWait(page);
      assert.match(sent[0], /\{\s+"2": null,\s+"1": null,\s+"three": null\s+\}/);
    }));

  test('RepeatedNamesAreMarkedAndNotSent', () =>
    visit(async (page, sent) => {
      await useChoice(page, ['a', 'a']);
      await page.getByRole('button', {name: 'Duplicate: question 1', exact: true}).click();
      await box(page, 'Name in the reply').last().fill('q1');
      await ask(page);
      assert.equal(await page.locator('[aria-invalid="true"]').count(), 3);
      assert.equal(sent.length, 0);
    }));

  test('AJsonStateIsCheckedWhileTypedAndSentAsSpelled', () =>
    visit(async (page, sent) => {
      await box(page, 'Question').fill('Large?');
      await page.getByRole('radio', {name: 'JSON'}).check();
      const note = page.locator('#state-note');
      for (const [text, says] of [
        ['{"a": 1,}', /line 1, column 9: a name in double quotes/],
        ['{"a": [1, 2}', /column 12: "," or "\]" expected/],
        ['12', /not a single number/],
        ['{"a": 1e999}', /out of range/],
        ['{"a": "x\ny"}', /line break/],
        ['['.repeat(65), /deeper than 64/],
        ['{"k":1,"k":2}', /"k" stands twice/],
        ['{"a": tru}', /value expected/],
        ['{"9": -0, "1": 12345678901234567890, "__proto__": 1.0}', /an object with 3 members/],
      ]) {
        await page.locator('#state').fill(text);
        await page
          .waitForFunction(
            ([pattern]) =>
              new RegExp(pattern).test(document.getElementById('state-note').textContent),
            [says.source],
            {timeout: 3000}
          )
          .catch(async () => assert.match(await note.innerText(), says));
      }
      await askAndWait(page);
      assert.ok(
        sent[0].includes('"state": {"9": -0, "1": 12345678901234567890, "__proto__": 1.0},')
      );
      await page.locator('#state').fill('{');
      await ask(page);
      assert.equal(await page.locator('#state').getAttribute('aria-invalid'), 'true');
      assert.equal(sent.length, 1);
    }));

  test('HistoryBringsBackRequestAndAnswers', () =>
    visit(async (page) => {
      await example(page, 'Sentiment score');
      await askAndWait(page);
      const before = await answers(page).allInnerTexts();
      await example(page, 'Moderation');
      await page.locator('#stale').waitFor();
      await ask(page);
      await page.waitForFunction(() => document.querySelectorAll('.answer').length === 2);
      await page.locator('#past button').last().click();
      assert.deepEqual(await answers(page).allInnerTexts(), before);
      assert.match(await page.locator('#state').inputValue(), /^The room was spotless/);
      assert.equal(await box(page, 'Level 4').inputValue(), 'very happy');
      assert.equal(await page.locator('#stale').isVisible(), false);
    }));

  test('CopiedTextsAreTheRequest', () =>
    visit(
      async (page, sent) => {
        await page.locator('#state').fill("it's ''' `tick` ${x} \\ \"q\"\nJSON\n");
        await useChoice(page, ['10', '9']);
        await askAndWait(page);
        const copied = async (tab) => {
          await page.getByRole('tab', {name: tab, exact: true}).click();
          await page.getByRole('button', {name: /^Cop/}).click();
          return page.evaluate(() => navigator.clipboard.readText());
        };
        assert.equal(await copied('JSON'), sent[0]);
        const curl = await copied('curl');
        assert.ok(curl.startsWith(`curl -sS '${new URL('v1/systemone', server.url)}'`));
        assert.ok(curl.endsWith(`<<'JSON'\n${sent[0]}\nJSON`));
        const inPython = /r'''([^]*)'''\n/.exec(await copied('Python'))[1];
        assert.ok(!inPython.includes("'''"));
        assert.deepEqual(JSON.parse(inPython), JSON.parse(sent[0]));
        const script = await copied('JavaScript');
        const inScript = new Function(`${/const body = [^]*?`;\n/.exec(script)[0]} return body;`)();
        assert.deepEqual(JSON.parse(inScript), JSON.parse(sent[0]));
        assert.ok(inScript.indexOf('"10"') < inScript.indexOf('"9"'));
        assert.match(await copied('Reply'), /^\{"model":/);
      },
      {permissions: ['clipboard-read', 'clipboard-write']}
    ));

  test('CopiedProgramsRun', () =>
    visit(async (page) => {
      await page.locator('#state').fill("it's ''' `tick` ${x} \\ \"q\"\nJSON\n");
      await useChoice(page, ['10', 'caf\u00e9']);
      const output = async (tab, command, ...args) => {
        await page.getByRole('tab', {name: tab, exact: true}).click();
        const code = await page.locator('#code').textContent();
        const env = {...process.env, NO_PROXY: '*', no_proxy: '*'};
        return (await promisify(execFile)(command, [...args, code], {env, timeout: 60000})).stdout;
      };
      await page.waitForFunction(() => document.getElementById('code').textContent.includes('caf'));
      assert.deepEqual(Object.keys(JSON.parse(await output('curl', 'bash', '-c')).answers), ['q1']);
      assert.match(await output('Python', 'python3', '-c'), /^q1 \{'type': 'choice'/);
      assert.match(
        await output('JavaScript', process.execPath, '--input-type=module', '-e'),
        /q1: \{[^]*type: 'choice'/
      );
    }));

  test('AsITypeAsksAndDropsTheRequestBefore', () =>
    visit(async (page, sent) => {
      let held = 0;
      await page.route('**/v1/systemone', async (route) => {
        if (held++ === 0) await new Promise((resolve) => setTimeout(resolve, 3000));
        await route.continue().catch(() => {});
      });
      const failed = page.waitForEvent('requestfailed');
      await page.getByRole('switch', {name: 'As I type'}).check();
      assert.equal(await page.locator('[aria-invalid="true"]').count(), 0);
      await box(page, 'Question').pressSequentially('Is it red?', {delay: 10});
      await page.waitForRequest('**/v1/systemone');
      await page.locator('#state').pressSequentially('rose', {delay: 10});
      assert.match((await failed).failure().errorText, /ABORTED/);
      await answers(page).first().waitFor();
      assert.equal(sent.length, 2);
      assert.equal(JSON.parse(sent[1]).state, 'rose');
      assert.equal(await page.evaluate(() => document.activeElement.id), 'state');
    }));

  test('APictureIsRefusedInPlainWords', () =>
    visit(async (page) => {
      await page.locator('#drop').evaluate((drop) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array([137, 80])], 'a.png', {type: 'image/png'}));
        drop.dispatchEvent(
          new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true})
        );
      });
      assert.match(await page.locator('#state-fault').innerText(), /cannot see pictures/);
      await page.locator('#state').fill('a red square');
      assert.equal(await page.locator('#state-fault').isVisible(), false);
    }));

  test('APictureIsSentToAModelThatSees', () =>
    visit(async (page, sent) => {
      await page.route('**/readyz', (route) =>
        route.fulfill({json: {model: 'seer', vision: true}})
      );
      await page.reload();
      await page.getByText('Pictures can be dropped').waitFor();
      await reply(page, 200, {model: 'seer', usage: {}, answers: {q1: {type: 'noul', noul: 0.25}}});
      await page.locator('#state').evaluate((state) => {
        const png = atob(
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
        );
        const data = new DataTransfer();
        data.items.add(
          new File([Uint8Array.from(png, (c) => c.charCodeAt(0))], 'a.png', {type: 'image/png'})
        );
        state.dispatchEvent(
          new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true})
        );
      });
      await page.locator('#pictures img').waitFor();
      await box(page, 'Question').fill('Red?');
      await askAndWait(page);
      assert.match(JSON.parse(sent[0]).images[0], /^data:image\/png;base64,iVBOR/);
      assert.match(await answers(page).innerText(), /No\s+Yes 25\.0 %\s+No 75\.0 %/);
    }));

  test('ALoadingModelIsWaitedFor', () =>
    visit(async (page) => {
      await page.route('**/readyz', (route) =>
        route.fulfill({status: 503, json: {detail: 'loading'}})
      );
      await page.reload();
      await page.getByText('The model is loading').waitFor();
      await page.unroute('**/readyz');
      await page.locator('#service-dot[data-is="ready"]').waitFor();
    }));

  test('WarningsAndAbstainAreShownInPlainWords', () =>
    visit(async (page) => {
      await reply(page, 200, {
        model: 'm',
        usage: {input_tokens: 12345, output_tokens: 0},
        answers: {
          q1: {
            type: 'choice',
            choice: 'b',
            probabilities: {a: 0.25, b: 0.75},
            confidence: 0.5,
            x_abstain: 0.8,
            x_warning:
              'the labels hold less than half of ' +
              "the model's probability; this model answers choice questions no better than guessing (built-in probe); do not " +
              'rely on this answer; something new',
          },
        },
      });
      await useChoice(page, ['a', 'b']);
      await askAndWait(page);
      const text = await answers(page).innerText();
      for (const part of [
        /Confidence 50\.0 %/,
        /None of these fits \(abstain\)\s+80\.0 %/,
        /would rather not choose/,
        /about to say something other/,
        /no better than guessing at questions of this kind/,
        /Something new\./,
      ]) {
        assert.match(text, part);
      }
      assert.match(await page.locator('#facts').innerText(), /12,345 in, 0 out/);
    }));

  test('WhatACalibrationSaysOfAnAnswerIsShown', () =>
    visit(async (page) => {
      const choice = {type: 'choice', choice: 'b', probabilities: {a: 0.25, b: 0.75}, confidence: 0.5};
      await useChoice(page, ['a', 'b']);
      for (const [accept, said] of [
        [true, /Sure enough for the calibration in use/],
        [false, /Not sure enough for the calibration in use: leave this one to a person/],
      ]) {
        await reply(page, 200, {
          model: 'm',
          usage: {input_tokens: 1, output_tokens: 0},
          answers: {q1: {...choice, x_abstain: 0.1, x_accept: accept}},
        });
        await ask(page);
        await answers(page).getByText(said).waitFor();
        const text = await answers(page).innerText();
        assert.match(text, /None of these fits \(abstain\)\s+10\.0 %/);
        assert.doesNotMatch(text, /would rather not/);
      }
    }));

  test('AbstainStaysBesideManyOptions', () =>
    visit(async (page) => {
      const names = Array.from({length: 20}, (_, i) => `option ${i}`);
      const probabilities = Object.fromEntries(names.map((name) => [name, 0.05]));
      await reply(page, 200, {
        model: 'm',
        usage: {input_tokens: 1, output_tokens: 0},
        answers: {
          q1: {type: 'choice', choice: names[0], probabilities, confidence: 0, x_abstain: 0.7},
        },
      });
      await useChoice(page, names);
      await askAndWait(page);
      await page.getByRole('button', {name: 'Show all 20'}).click();
      assert.match(await answers(page).innerText(), /None of these fits \(abstain\)\s+70\.0 %/);
    }));

  test('OtherErrorsStandInTheStatusArea', () =>
    visit(async (page) => {
      await example(page, 'Sentiment score');
      for (const [status, body, says] of [
        [
          413,
          {
            detail: {
              error_type: 'max_tokens_exceeded',
              message: '9000 tokens needed, 4096 available',
            },
          },
          /too long[^]*9000 tokens needed/,
        ],
        [
          503,
          {detail: {error_type: 'overloaded', message: 'the queue is full'}},
          /not free[^]*The queue is full\./,
        ],
        [500, {detail: {error_type: 'internal_error', message: 'oh'}}, /status 500[^]*Oh\./],
      ]) {
        await reply(page, status, body);
        await ask(page);
        await page.waitForFunction(
          (pattern) => new RegExp(pattern).test(document.getElementById('trouble').innerText),
          says.source
        );
      }
      await page.route('**/v1/systemone', (route) =>
        route.fulfill({status: 502, body: '<h1>Bad gateway</h1>'})
      );
      await ask(page);
      await page.getByText('<h1>Bad gateway</h1>').waitFor();
      await page.unroute('**/v1/systemone');
      await askAndWait(page);
      assert.equal(await page.locator('#trouble').isVisible(), false);
    }));

  test(
    'AWantedKeyIsAskedForAndSent',
    {skip: process.env.PAGE_URL ? 'needs a server with a key' : false},
    async () => {
      const guarded = await startFakeServer({key: 'SECRET'});
      await visit(
        async (page) => {
          await example(page, 'Sentiment score');
          assert.equal(await page.locator('#key-card').isVisible(), false);
          await ask(page);
          await page.locator('#key-card').waitFor();
          assert.equal(await page.evaluate(() => document.activeElement.id), 'key');
          await page.keyboard.type('WRONG');
          await page.keyboard.press('Enter');
          await page.locator('#key-fault').waitFor();
          await page.locator('#key').fill('k\u00e9y\u20ac');
          await page.keyboard.press('Enter');
          await page.getByText('plain letters').waitFor();
          await page.locator('#key').fill('SECRET');
          const request = page.waitForRequest('**/v1/systemone');
          await page.keyboard.press('Enter');
          assert.equal((await request).headers().authorization, 'Bearer SECRET');
          await answers(page).first().waitFor();
          await page.getByRole('tab', {name: 'curl'}).click();
          assert.match(await page.locator('#code').innerText(), /Bearer \$LOGIT_API_KEY/);
          assert.ok(!(await page.locator('body').innerText()).includes('SECRET'));
          assert.deepEqual(
            await page.evaluate(() => Object.values({...localStorage, ...sessionStorage})),
            []
          );
        },
        {url: guarded.url}
      );
      await guarded.close();
    }
  );

  test('ManyOptionsShowTheLikeliestFirst', () =>
    visit(async (page) => {
      await page.getByLabel('Kind of answer').selectOption('choice');
      await box(page, 'Option 1: name').evaluate((input) => {
        const data = new DataTransfer();
        data.setData('text/plain', Array.from({length: 300}, (_, i) => `option ${i}`).join('\n'));
        input.dispatchEvent(
          new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true})
        );
      });
      assert.equal(await page.locator('.item').count(), 255);
      await askAndWait(page);
      assert.equal(await answers(page).locator('.bars li:not(.abstain)').count(), 8);
      await page
        .getByRole('button', {name: 'Show all 254'})
        .or(page.getByRole('button', {name: 'Show all 255'}))
        .click();
      assert.ok((await answers(page).locator('.bars li:not(.abstain)').count()) >= 254);
    }));

  test('APhoneNeedsNoSidewaysScrolling', () =>
    visit(
      async (page) => {
        await example(page, 'Ticket routing');
        await box(page, 'Option 1: name').fill('averyverylongoptionname'.repeat(8));
        await page.locator('#state').fill('x'.repeat(3000));
        await askAndWait(page);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
        const small = await page
          .locator('button:visible, select:visible, input[type=text]:visible')
          .evaluateAll(
            (all) => all.filter((one) => one.getBoundingClientRect().height < 24).length
          );
        assert.equal(small, 0);
      },
      {viewport: {width: 360, height: 740}, reducedMotion: 'reduce'}
    ));

  test('DarkFollowsTheSystemAndTheSwitch', () =>
    visit(
      async (page) => {
        const shade = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(await shade(), 'rgb(17, 21, 27)');
        await page.getByLabel('Colours').selectOption('light');
        assert.equal(await shade(), 'rgb(244, 246, 248)');
        await page.reload();
        assert.equal(await shade(), 'rgb(244, 246, 248)');
      },
      {colorScheme: 'dark'}
    ));

  test('EveryControlHasAName', () =>
    visit(async (page) => {
      await example(page, 'Ticket routing');
      await askAndWait(page);
      const nameless = await page
        .locator('button, input, select, textarea')
        .evaluateAll((all) =>
          all
            .filter(
              (one) =>
                !(one.getAttribute('aria-label') || one.labels?.[0]?.innerText || one.innerText)
            )
            .map((one) => one.outerHTML)
        );
      assert.deepEqual(nameless, []);
    }));
});
