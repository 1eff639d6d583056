import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { OperatorError } from '../../subgraphs/kernel/errors/operator-error.ts';
import { messageOf } from '../../subgraphs/kernel/errors/thrown.ts';
import { projectRoot } from '../../subgraphs/kernel/project-root.ts';

/** The supergraph of `SUPERGRAPH_FILE`, or else the product's own, as SDL. @throws an OperatorError naming the file */
export async function readSupergraphOf({
  SUPERGRAPH_FILE: file,
}: Pick<Config, 'SUPERGRAPH_FILE'>): Promise<string> {
  const path = file ?? join(projectRoot(), 'schema', 'supergraph.graphql');
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`SUPERGRAPH_FILE: ${path} cannot be read: ${messageOf(error)}`);
  }
}
