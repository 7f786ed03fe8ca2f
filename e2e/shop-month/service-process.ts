import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { commandLine } from '../test/command-line.ts'

const readyTimeoutMs = 120_000

/** The service as users start it, in a process of its own, on a free port and with a database of its own. */
export async function startService(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PRINTYARD_|DATABASE_URL|REDIS_|S3_)/.test(name))
  const child = spawn(process.execPath, [commandLine, 'serve'], {
    env: {
      ...Object.fromEntries(inherited),
      PRINTYARD_DATA_DIR: dataDir,
      PRINTYARD_HOST: '127.0.0.1',
      PRINTYARD_PORT: '0',
      PRINTYARD_RATE_LIMIT_PER_MINUTE: '10000000',
      PRINTYARD_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const ready = new Promise<string>((resolve) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const [, url] = /^Printyard is ready at (\S+)$/m.exec(text) ?? []
      if (url) resolve(url)
    })
  })
  const tooLate = AbortSignal.timeout(readyTimeoutMs)
  const url = await Promise.race([ready, ended.then(() => undefined), once(tooLate, 'abort').then(() => undefined)])
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  if (url === undefined) {
    await stop()
    throw new Error('the service did not become ready')
  }
  return { url, stop }
}
