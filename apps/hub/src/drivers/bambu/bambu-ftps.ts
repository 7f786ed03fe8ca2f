import { connect } from 'node:net'
import { Readable } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import type { ConnectionProblemReason } from '@printyard/protocol/connection-problems'
import { Client, FTPError } from 'basic-ftp'
import { describeError } from '../../util/log.ts'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { DriverError, type DriverErrorCode, type FileToUpload } from '../driver.ts'
import { readCounted } from '../wire/counted-file.ts'

interface BambuFtps {
  /** Stores a file, replacing one of that name, and looks whether it is all there. A partial one is removed. */
  upload(file: FileToUpload, signal: AbortSignal): Promise<void>
  /** Removes a file; one that is not there is fine. */
  remove(fileName: string, signal: AbortSignal): Promise<void>
}

interface BambuFtpsOptions {
  host: string
  port: number
  /** Left out: the one that all printers have. */
  user?: string
  accessCode: string
  /** Answers what the certificate must be; asked for each connection. */
  tls(): ConnectionOptions
  /** The data connection may go without TLS where the printer cannot do it. */
  allowsClearData(): boolean
}

const LOGIN_MS = 15_000
const QUESTION_MS = 15_000
/** The slowest that printers were seen to take a file in, and what the final answer may take beside that. */
const WORST_BYTES_PER_SECOND = 25_000
const UPLOAD_LEAST_MS = 90_000
const DATA_CONNECT_MS = 10_000

/** The printer's file server: FTP over implicit TLS. One transfer at a time; more make it stumble. */
export function createBambuFtps(options: BambuFtpsOptions): BambuFtps {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const turn = last.then(task)
    last = turn.catch(() => undefined)
    return turn
  }

  /** One visit: log in, do something, leave. */
  const visit = async <T>(signal: AbortSignal, timeoutMs: number, use: (client: Client) => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    // Time is kept out here: in the library one limit holds for a question and for the answer to a large file.
    const client = new Client(0)
    try {
      await bounded(signal, LOGIN_MS, async () => {
        // Some file servers break on anything newer.
        const tls = { ...options.tls(), host: options.host, maxVersion: 'TLSv1.2' } as const
        await client.connectImplicitTLS(options.host, options.port, tls)
        await client.login(options.user ?? 'bblp', options.accessCode)
        for (const command of ['TYPE I', 'PBSZ 0', 'PROT P']) await client.send(command)
      })
      return await bounded(signal, timeoutMs, () => use(client))
    } finally {
      client.close()
    }
  }

  const send = (file: FileToUpload, signal: AbortSignal, isClear: boolean) => {
    const { size_bytes, file_name } = file
    const timeoutMs = UPLOAD_LEAST_MS + (size_bytes / WORST_BYTES_PER_SECOND) * 1_000
    return visit(signal, timeoutMs, async (client) => {
      if (isClear) {
        await client.send('PROT C')
        client.prepareTransfer = openClearData
      }
      // So that what is found afterwards is what was sent now.
      await client.remove(file_name, true)
      const content = Readable.from(readCounted(file), { objectMode: false })
      try {
        await client.uploadFrom(content, file_name)
      } finally {
        content.destroy()
      }
    })
  }

  const sizeOf = (fileName: string, signal: AbortSignal) =>
    visit(signal, QUESTION_MS, (client) => client.size(fileName)).catch((error: unknown) => {
      if (error instanceof FTPError && error.code === 550) return 0
      throw error
    })

  const uploadInTurn = async (file: FileToUpload, signal: AbortSignal) => {
    let problem: unknown
    for (const isClear of options.allowsClearData() ? [false, true] : [false]) {
      problem = undefined
      try {
        await send(file, signal, isClear)
      } catch (error) {
        signal.throwIfAborted()
        const refusal = refusalOf(error)
        if (refusal) throw refusal
        problem = error
      }
      // The last word of the server is sometimes a lie, either way: what is stored counts.
      const stored = await sizeOf(file.file_name, signal).catch((error: unknown) => {
        signal.throwIfAborted()
        throw asDriverError(problem ?? error)
      })
      if (stored === file.size_bytes) return
      problem ??= new Error(`${stored} of ${file.size_bytes} bytes arrived`)
      // Only a data connection over which nothing went may be one that was never opened.
      if (stored > 0) break
    }
    await visit(signal, QUESTION_MS, (client) => client.remove(file.file_name, true)).catch(() => undefined)
    throw new DriverError('UPLOAD_BROKEN', `the upload broke off: ${describeError(problem)}`, { cause: problem })
  }

  return {
    upload: (file, signal) =>
      inTurn(async () => {
        // Given up before its turn, it has stored nothing: what lies under that name is another person's.
        signal.throwIfAborted()
        try {
          await uploadInTurn(file, signal)
        } catch (error) {
          if (!signal.aborted) throw error
          await visit(AbortSignal.timeout(5_000), QUESTION_MS, (client) => client.remove(file.file_name, true)).catch(
            () => undefined,
          )
          throw signal.reason
        }
      }),
    remove: (fileName, signal) =>
      inTurn(async () => {
        try {
          await visit(signal, QUESTION_MS, (client) => client.remove(fileName))
        } catch (error) {
          signal.throwIfAborted()
          if (error instanceof FTPError && error.code === 550) return
          throw refusalOf(error) ?? asDriverError(error)
        }
      }),
  }
}

/** A data connection without TLS, to the host that we are logged in at. */
const openClearData: Client['prepareTransfer'] = async (ftp) => {
  const response = await ftp.request('PASV')
  const [, high, low] = /,(\d+),(\d+)\)/.exec(response.message) ?? []
  const host = ftp.socket.remoteAddress
  if (high === undefined || low === undefined || host === undefined) throw new Error('the answer to PASV is no address')
  const socket = connect({ host, port: Number(high) * 256 + Number(low), timeout: DATA_CONNECT_MS })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
    socket.once('timeout', () => socket.destroy(new Error('the data connection was not opened')))
  })
  socket.setTimeout(0)
  ftp.dataSocket = socket
  return response
}

class TooSlowError extends Error {}

/** Rejects with the signal's reason, or once the time is up; anyone who calls closes the connection then. */
async function bounded<T>(signal: AbortSignal, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  let stop: (() => void) | undefined
  const stopped = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason)
    const timer = setTimeout(() => reject(new TooSlowError(`no end within ${Math.round(timeoutMs)} ms`)), timeoutMs)
    signal.addEventListener('abort', onAbort, { once: true })
    stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  })
  try {
    const working = work()
    working.catch(() => undefined)
    return await Promise.race([working, stopped])
  } finally {
    stop?.()
  }
}

const refusals: Record<number, readonly [string, ConnectionProblemReason?]> = {
  530: ['credentials refused: wrong access code', 'credentials_wrong'],
  550: ['the printer does not take the file'],
  552: ['there is no space on the memory card', 'storage_full'],
  // The printer does not say which.
  553: ['the memory card is missing, full or faulty, or the file is in use', 'storage_faulty'],
}

/** Answers what the server refuses for good; undefined for what may go better next time. */
function refusalOf(error: unknown): DriverError | undefined {
  if (!(error instanceof FTPError) || !Object.hasOwn(refusals, error.code)) return undefined
  const [sentence, problem] = refusals[error.code] ?? ['the printer refuses']
  const message = `${sentence} (FTP ${error.code})`
  return problem === undefined
    ? new DriverError('REFUSED', message, { cause: error })
    : new ConnectionProblemError(problem, { message }, { cause: error })
}

function asDriverError(error: unknown): DriverError {
  const text = error instanceof Error && 'code' in error ? String(error.code) : ''
  const code: DriverErrorCode = /^E(CONNREFUSED|HOSTUNREACH|NETUNREACH)$/.test(text) ? 'UNREACHABLE' : 'NO_ANSWER'
  return new DriverError(code, `the printer's file server does not answer: ${describeError(error)}`, { cause: error })
}
