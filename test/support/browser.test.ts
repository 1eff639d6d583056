import { beforeAll, expect, test } from '@jest/globals';
import { type Browser, openBrowser } from './browser.ts';
import { useConsole } from './console-page.ts';
import { chromium, describeInBrowser } from './console-stage.ts';
import { useScene } from './scene.ts';

const scene = useScene();

describeInBrowser('A page in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(chromium ?? '');
    scene.atEnd(() => browser.close());
  });

  const show = (html: string, script: string) =>
    browser.page.evaluate(
      `document.body.innerHTML = ${JSON.stringify(html)}; window.pressed = []; ${script}; 0`,
    );

  test('gets a press on the element that is meant, though another one moves under the mouse', async () => {
    await show(
      '<button id="other">Other</button><p id="late" style="margin: 0"></p><button id="meant">Meant</button>',
      `for (const { id } of document.querySelectorAll('button')) {
        document.getElementById(id).addEventListener('click', () => pressed.push(id));
      }
      addEventListener('mousemove', () => {
        const late = document.getElementById('late');
        const { y } = document.getElementById('meant').getBoundingClientRect();
        late.before(document.getElementById('meant'));
        document.getElementById('other').style.marginTop = y + 'px';
      }, { once: true })`,
    );
    await browser.page.click(`document.getElementById('meant')`);
    expect(await browser.page.evaluate('pressed')).toEqual(['meant']);
  });

  test('gets a text into the input that is meant, though something takes the focus away once', async () => {
    await show(
      '<label for="name">Name</label><input id="name"><input id="thief">',
      `document.getElementById('name').addEventListener(
        'focus',
        () => setTimeout(() => document.getElementById('thief').focus()),
        { once: true },
      )`,
    );
    await useConsole(browser.page, 'http://127.0.0.1').fill('Name', 'Ana');
    const values = `[...document.querySelectorAll('input')].map(({ value }) => value)`;
    expect((await browser.page.evaluate<string[]>(values))[0]).toBe('Ana');
  });
});
