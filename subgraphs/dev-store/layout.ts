import { join, resolve } from 'node:path';

/** On-disk formats. Providers of one format can open each other's data, no others can. */
export type DataFormat = 'mongod' | 'secantus-rs' | 'secantus-py';

/** Where the embedded store keeps what it has in `DATA_DIR`; every path is absolute. */
export interface StoreLayout {
  readonly dataDir: string;
  /** All of the store's state: removing this directory starts afresh, without another installation. */
  readonly root: string;
  readonly ownerFile: string;
  readonly serverFile: string;
  /** Where the running store listens, for commands beside its process. */
  readonly announcementFile: string;
  readonly locks: string;
  readonly secantusConfig: string;
  readonly venvs: string;
  readonly binaries: string;
  data(format: DataFormat): string;
  logFile(format: DataFormat): string;
}

export function storeLayout(dataDir: string, venvDir?: string): StoreLayout {
  const absolute = resolve(dataDir);
  const root = join(absolute, 'store');
  return {
    dataDir: absolute,
    root,
    ownerFile: join(root, 'owner.json'),
    serverFile: join(root, 'server.json'),
    announcementFile: join(root, 'running.json'),
    locks: join(root, 'locks'),
    secantusConfig: join(root, 'secantusd.toml'),
    venvs: venvDir === undefined ? join(absolute, 'store-venv') : resolve(venvDir),
    binaries: join(absolute, 'mongodb-binaries'),
    data: (format) => join(root, format),
    logFile: (format) => join(root, `${format}.log`),
  };
}
