import { join } from 'node:path'
import { openSocketDirectory } from './socket-directory.ts'

/** Owner of the embedded database. Trusted by the socket: anyone who may enter its 0700 directory may connect. */
export const owner = 'printyard'
export const database = 'printyard'
/** In its own folder, so that the number says nothing. */
export const socketName = '.s.PGSQL.5432'

/** Address of the embedded server; valid in this process only. */
export interface EmbeddedConnection {
  socketPath: string
  database: string
  user: string
}

/** Answers how another process of the same machine reaches the server that the holder of `dataDir` runs. */
export function embeddedConnection(dataDir: string): { connection: EmbeddedConnection; close(): void } {
  const sockets = openSocketDirectory(join(dataDir, 'run'), socketName.length)
  return { connection: { socketPath: sockets.path(socketName), database, user: owner }, close: () => sockets.close() }
}
