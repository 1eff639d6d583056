import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from './project-root.ts';

const packageSchema = z.object({ version: z.string() });

/** The version of the product, as its package.json has it. */
export function productVersion(): string {
  return packageSchema.parse(JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8'))).version;
}
