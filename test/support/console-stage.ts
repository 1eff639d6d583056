import { describe } from '@jest/globals';
import { findChromium, openBrowser } from './browser.ts';
import { type ConsolePage, useConsole } from './console-page.ts';
import type { Deployment, DeploymentOptions } from './deployment.ts';
import { type Exchange, exchangeWith } from './http.ts';
import type { Scene } from './scene.ts';
import type { Server } from './server.ts';

/** The browser's program; undefined where there is none. */
export const chromium = findChromium();

/** A server, and the console in a browser. */
export interface ConsoleStage {
  readonly deployment: Deployment;
  readonly server: Server;
  readonly exchange: Exchange;
  readonly person: ConsolePage;
}

/** Like `describe`: skipped, with the reason in its title, where there is no browser. */
export function describeInBrowser(title: string, tests: () => void): void {
  const reason = chromium === undefined ? ' (skipped: there is no Chromium on PATH)' : '';
  (chromium === undefined ? describe.skip : describe)(`${title}${reason}`, tests);
}

/** Starts both; they end with the scene. */
export async function openConsoleStage(scene: Scene, options: DeploymentOptions): Promise<ConsoleStage> {
  const deployment = await scene.deploy(options);
  const server = await deployment.start();
  const browser = await openBrowser(chromium ?? '');
  scene.atEnd(() => browser.close());
  const person = useConsole(browser.page, server.url);
  return { deployment, server, exchange: exchangeWith(server.url), person };
}
