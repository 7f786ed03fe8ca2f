import { createHash } from 'node:crypto'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Another process runs a hub on the same data directory. */
export class DataDirHeldError extends Error {
  readonly code = 'DATA_DIR_HELD'

  constructor(dataDir: string, holder: string) {
    super(`the data directory ${dataDir} is in use by ${holder}`)
    this.name = 'DataDirHeldError'
  }
}

/**
 * Takes the data directory for this process. Two hubs on one journal would start prints twice. The lock is a listening
 * socket, which the system takes back with the process, however that ends; who asks at it is told who holds it. Its name
 * is a hash: the path itself may be longer than the 107 bytes that a socket address takes.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): Promise<void> }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const name = `printyard-hub-${createHash('sha256')
    .update(await realpath(dataDir))
    .digest('hex')
    .slice(0, 32)}`
  // Linux has names outside the file system, which leave nothing behind. Elsewhere a dead hub's socket file is removed.
  const isAbstract = process.platform === 'linux'
  const address = isAbstract ? `\0${name}` : join(tmpdir(), `${name}.sock`)
  for (let tries = 1; ; tries += 1) {
    const server = await listen(address)
    if (server) return { release: () => new Promise((resolve) => void server.close(() => resolve())) }
    const holder = await askHolder(address)
    if (holder !== undefined) throw new DataDirHeldError(dataDir, holder)
    if (tries === 3) throw new DataDirHeldError(dataDir, 'a process that does not say who it is')
    if (!isAbstract) await rm(address, { force: true })
  }
}

/** Undefined when the address is taken. */
function listen(address: string): Promise<Server | undefined> {
  const since = new Date().toISOString()
  return new Promise((resolve, reject) => {
    const server = createServer((asking) => {
      asking.on('error', () => asking.destroy())
      asking.end(`process ${process.pid}, since ${since}`)
    })
    server.unref()
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(address, () => resolve(server))
  })
}

/** Undefined when no one listens. A holder that does not answer holds anyway. */
function askHolder(address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(address)
    socket.setTimeout(1_000, () => {
      resolve('a process that does not answer')
      socket.destroy()
    })
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('end', () => resolve(answer))
    socket.on('error', () => resolve(undefined))
  })
}
