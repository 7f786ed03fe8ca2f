import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { CredentialsRefusedError } from '../connection/keep-connected.ts'
import { DriverError, type FileToUpload } from '../driver.ts'
import { fileBody } from '../wire/file-body.ts'
import { type HttpAnswer, type HttpQuestion, isFull, type PrinterHttp } from '../wire/printer-http.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'
import { answerChallenge, type DigestChallenge, readChallenge } from './digest.ts'

const QUESTION_TIMEOUT_MS = 10_000
/** The slowest that older boards were seen to take files. */
const UPLOAD_BYTES_PER_SECOND = 25_000
const UPLOAD_LEAST_MS = 60_000

interface PrusaLinkLogin {
  username: string
  password: string
  /** Used instead of Digest when there is one. */
  apiKey: string | null
}

export interface ReadingOptions {
  timeoutMs?: number
  /** Does not wait for its turn. */
  isBeside?: boolean
}

/**
 * PrusaLink's calls, one at a time: the printer's own firmware serves very few connections. A call whose signal aborts while it waits
 * for its turn ends at once.
 */
export interface PrusaLinkApi {
  /** A reading call; undefined for 204. */
  read(path: string, signal: AbortSignal, options?: ReadingOptions): Promise<unknown>
  /** True when the printer's newest job has this number, where it tells; see `newest-job.ts`. */
  isNewestJob(jobId: string, signal: AbortSignal, options?: ReadingOptions): Promise<boolean>
  /** A command; rejects unless it was accepted. */
  command(method: 'POST' | 'PUT' | 'DELETE', path: string, signal: AbortSignal, body?: object): Promise<void>
  upload(path: string, file: FileToUpload, signal: AbortSignal): Promise<void>
  /** The newest picture of the camera; undefined when it has none yet. Does not wait for its turn: a camera may be slow. */
  readStill(signal: AbortSignal): Promise<Buffer | undefined>
}

export function createPrusaLinkApi(http: PrinterHttp, login: PrusaLinkLogin): PrusaLinkApi {
  let challenge: DigestChallenge | undefined
  let count = 0
  let last: Promise<unknown> = Promise.resolve()

  /** After all that was asked before. One that gives up while it waits lets no one else pass before its turn. */
  const inTurn = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const turn = last
    const next = unlessAborted(turn, signal).then(work)
    last = turn.then(() => next).catch(() => undefined)
    return next
  }

  const authorization = ({ method, path }: HttpQuestion): Record<string, string> => {
    if (login.apiKey !== null) return { 'x-api-key': login.apiKey }
    if (!challenge) return {}
    count += 1
    const { pathname, search } = new URL(path, http.base)
    const { username, password } = login
    return { authorization: answerChallenge(challenge, { username, password, method, uri: pathname + search, count }) }
  }

  const send = (question: HttpQuestion) =>
    http.ask({ ...question, headers: { ...question.headers, ...authorization(question) } })

  /** A question that may be repeated: the printer asks for a login, or for a new one, at any time. */
  const askSafely = async (question: HttpQuestion): Promise<HttpAnswer> => {
    const hadChallenge = challenge !== undefined
    const answer = await send(question)
    if (answer.status !== 401 || login.apiKey !== null) return refuseWrongKey(answer)
    const asked = readChallenge(answer.headers['www-authenticate'])
    if (!asked) return refuseWrongKey(answer)
    const isWrong = hadChallenge && !asked.isStale && asked.nonce === challenge?.nonce
    challenge = asked
    count = 0
    if (isWrong) throw new CredentialsRefusedError('credentials refused')
    return refuseWrongKey(await send(question))
  }

  const version = (signal: AbortSignal) =>
    askSafely({ method: 'GET', path: 'api/version', timeoutMs: QUESTION_TIMEOUT_MS, signal })

  const get = (path: string, signal: AbortSignal, { timeoutMs, isBeside }: ReadingOptions) => {
    const ask = () => askSafely({ method: 'GET', path, timeoutMs: timeoutMs ?? QUESTION_TIMEOUT_MS, signal })
    return isBeside ? ask() : inTurn(signal, ask)
  }

  return {
    async read(path, signal, options = {}) {
      const answer = await get(path, signal, options)
      if (answer.status === 204) return undefined
      accept(answer)
      if (answer.json === undefined) throw new DriverError('REFUSED', 'this is not PrusaLink')
      return answer.json
    },
    async isNewestJob(jobId, signal, options = {}) {
      const answer = await get(`api/v1/job/${jobId}`, signal, options)
      if (answer.status === 404) return false
      // There is no such call; that it says so and not that there is no such job means that the number is right.
      if (answer.status !== 405 && answer.status !== 400) accept(answer)
      return true
    },
    command: (method, path, signal, body) =>
      inTurn(signal, async () => {
        // A command goes out once, so its login must be right the first time.
        await version(signal)
        const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
        accept(await send({ method, path, timeoutMs: QUESTION_TIMEOUT_MS, signal, ...json }))
      }),
    upload: (path, file, signal) =>
      inTurn(signal, async () => {
        await version(signal)
        const timeoutMs = Math.max(UPLOAD_LEAST_MS, (file.size_bytes / UPLOAD_BYTES_PER_SECOND) * 1_000)
        const answer = await send({
          method: 'PUT',
          path,
          headers: { 'content-type': 'application/octet-stream', overwrite: '?1', 'print-after-upload': '?0' },
          body: fileBody({ path: file.path, sizeBytes: file.size_bytes, onSent: file.onSent }),
          timeoutMs,
          signal,
        })
        if (isFull(answer)) throw new ConnectionProblemError('storage_full')
        if (answer.status >= 500 || answer.status === 400) throw new DriverError('UPLOAD_BROKEN', sentence(answer))
        accept(answer)
      }),
    async readStill(signal) {
      const answer = await askSafely({
        method: 'GET',
        path: 'api/v1/cameras/snap',
        timeoutMs: QUESTION_TIMEOUT_MS,
        signal,
      })
      if (answer.status === 204 || answer.status === 503) return undefined
      accept(answer)
      return answer.bytes
    },
  }
}

/** Waits for what never rejects; rejects with the signal's reason as soon as it aborts. */
function unlessAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    void work.then(() => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    })
  })
}

function refuseWrongKey(answer: HttpAnswer): HttpAnswer {
  if (answer.status === 401 || answer.status === 403) throw new CredentialsRefusedError('credentials refused')
  return answer
}

function accept(answer: HttpAnswer): void {
  if (answer.status >= 200 && answer.status < 300) return
  if (answer.status === 401 || answer.status === 403) {
    throw new ConnectionProblemError('commands_refused', {
      message: 'PrusaLink refuses the command: credentials refused.',
    })
  }
  // The "print finished" screen, an open menu or a running transfer: the printer says only that it does not want to.
  if (answer.status === 409) {
    throw new DriverError('BUSY', `${sentence(answer)}; confirm what the printer's screen asks, then try again`)
  }
  if (answer.status >= 500) throw new DriverError('NO_ANSWER', sentence(answer))
  throw new DriverError('REFUSED', sentence(answer))
}

function sentence({ json, status }: HttpAnswer): string {
  const told = [textIn(memberOf(json, 'title'), 120), textIn(memberOf(json, 'text'), 300)].filter(Boolean)
  return told.length > 0 ? told.join(': ') : `PrusaLink answers with status ${status}`
}
