import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { portOf } from '../../gateway/http/port-of.ts';
import { commandsOf, differences, type Example, readExamples } from './examples.ts';
import { KNOWN, type Known, PLACEHOLDERS, VARIABLES } from './known.ts';
import { type Ended, run, type Started, start } from './shell.ts';

/** Where the commands of a document run. */
interface Place {
  /** The clone, or the folder with the package. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

const READY_MS = 5 * 60_000;
const FOLLOW_MS = 3_000;
/** The addresses in documents. A walk takes free ports, so that it can run beside other servers. */
const PRINTED_PORTS = ['4000', '4443'];

/** Walks through documents: runs what they print, and compares what is answered. */
export class Walker {
  readonly problems: string[] = [];
  readonly #place: Place;
  readonly #say: (line: string) => void;
  readonly #used = new Set<Known>();
  readonly #variables: Record<string, string> = {};
  readonly #ports = new Map<string, string>();
  #server:
    | { readonly printed: string; readonly started: Started; readonly exits: Known['exits'] }
    | undefined;

  constructor(place: Place, say: (line: string) => void) {
    this.#place = place;
    this.#say = say;
    // Where a development server keeps its database: each walk begins with an empty one.
    rmSync(join(place.folder, '.data'), { recursive: true, force: true });
  }

  /** The walk's entries that were used. */
  get used(): ReadonlySet<Known> {
    return this.#used;
  }

  /** Walks the examples of a document, then stops what it has started. */
  async walk(document: string): Promise<void> {
    const examples = readExamples(readFileSync(join(this.#place.folder, document), 'utf8'));
    await this.#onFreePorts(document, async () => {
      for (const example of examples) {
        await this.#walkExample(example);
      }
    });
  }

  /** Walks commands that are not all in one document. */
  async walkCommands(title: string, commands: readonly string[]): Promise<void> {
    await this.#onFreePorts(title, async () => {
      for (const command of commands) {
        await this.#walkCommand(command);
      }
    });
  }

  async #onFreePorts(title: string, work: () => Promise<void>): Promise<void> {
    this.#say(`\n${title}`);
    for (const port of PRINTED_PORTS) {
      this.#ports.set(port, String(await freePort()));
    }
    try {
      await work();
    } finally {
      await this.#stopServer();
    }
  }

  async #walkExample({ language, text, answer }: Example): Promise<void> {
    if (language === 'sh') {
      for (const command of commandsOf(text)) {
        const ended = await this.#walkCommand(command);
        if (answer !== undefined && ended) {
          this.#compare(command, answer, ended.output);
        }
      }
    } else if (language === 'graphql' && !text.startsWith('subscription')) {
      await this.#needServerFor('curl');
      this.#compare(text, answer, await this.#query(text));
    }
  }

  /** @returns the output of a command that has ended */
  async #walkCommand(printed: string): Promise<Ended | undefined> {
    const known = KNOWN.find(({ command }) => command.test(withoutComment(printed)));
    if (known) {
      this.#used.add(known);
    }
    if (known === undefined || known.manner === 'run') {
      return this.#run(printed);
    }
    if (known.manner === 'skip') {
      this.#report('skipped', printed, known.why);
    } else {
      await (known.manner === 'serve' ? this.#serve(printed, known) : this.#follow(printed, known));
    }
    return undefined;
  }

  async #run(printed: string): Promise<Ended> {
    await this.#needServerFor(printed);
    // Without its progress, which is no part of the answer.
    const command = this.#toRun(printed).replace(/^curl /, 'curl -sS ');
    const ended = await run(command, this.#place.folder, this.#env());
    this.#learn(ended.output);
    this.#judge(printed, ended);
    return ended;
  }

  async #serve(printed: string, known: Known): Promise<void> {
    await this.#stopServer();
    const started = start(this.#toRun(printed), this.#place.folder, this.#env());
    this.#server = { printed, started, exits: known.exits };
    await started.ready(known.ready ?? /./, READY_MS);
    this.#learn(started.output());
    this.#report('ready', printed);
  }

  async #follow(printed: string, { ready, exits }: Known): Promise<void> {
    await this.#needServerFor(printed);
    const following = start(this.#toRun(printed), this.#place.folder, this.#env());
    await (ready ? following.ready(ready, READY_MS) : delay(FOLLOW_MS));
    this.#judge(printed, await following.stop(), exits);
  }

  /** The text says to start one before: the first command that needs it does. */
  async #needServerFor(command: string): Promise<void> {
    if (/^curl\b/.test(command) && !this.#server) {
      await this.#walkCommand('npm start');
    }
  }

  async #stopServer(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server) {
      this.#judge(`Ctrl-C after ${server.printed}`, await server.started.stop(), server.exits);
    }
  }

  async #query(query: string): Promise<string> {
    const answer = await fetch(`http://localhost:${this.#ports.get('4000')}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': this.#variables.KEY ?? '' },
      body: JSON.stringify({ query }),
    });
    return answer.text();
  }

  #compare(example: string, printed: unknown, output: string): void {
    const answer = /^[[{].*[\]}]$/s.test(output.trim()) ? JSON.parse(output) : output;
    const found = printed === undefined ? [] : differences(printed, answer);
    this.#report(found.length === 0 ? 'answered' : 'ANOTHER ANSWER', example);
    this.problems.push(...found.map((difference) => `${firstLine(example)}: ${difference}`));
  }

  #judge(printed: string, { code, output }: Ended, exits: readonly number[] = [0]): void {
    const isWell = code !== null && exits.includes(code);
    this.#report(isWell ? 'done' : 'FAILED', printed);
    if (!isWell) {
      this.problems.push(`${firstLine(printed)} ended with ${code}:\n${output}`);
    }
  }

  #learn(output: string): void {
    for (const { name, printed } of VARIABLES) {
      const [, value] = printed.exec(output) ?? [];
      if (value !== undefined) {
        this.#variables[name] = value;
      }
    }
  }

  #toRun(printed: string): string {
    const command = PLACEHOLDERS.reduce(
      (text, { text: place, value }) => text.replaceAll(place, value),
      printed,
    );
    return PRINTED_PORTS.reduce(
      (text, port) =>
        text.replaceAll(new RegExp(`(localhost:|_PORT=)${port}\\b`, 'g'), `$1${this.#ports.get(port)}`),
      command,
    );
  }

  #env(): NodeJS.ProcessEnv {
    return { ...this.#place.env, PORT: String(this.#ports.get('4000')), ...this.#variables };
  }

  #report(outcome: string, printed: string, why = ''): void {
    this.#say(`  ${outcome.padEnd(9)} ${firstLine(printed)}${why === '' ? '' : ` (${why})`}`);
  }
}

/** A command of one line, as a shell reads it. */
export function withoutComment(command: string): string {
  return command.replace(/\s+#.*$/, '');
}

function firstLine(text: string): string {
  return String(text.split('\n')[0]);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const port = portOf(server);
  await new Promise((closed) => server.close(closed));
  return port;
}
