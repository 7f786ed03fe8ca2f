import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { CredentialsRefusedError } from '../connection/keep-connected.ts'
import { DriverError, type FileToUpload } from '../driver.ts'
import { blameFullDisk } from '../upload/full-disk.ts'
import { formBody } from '../wire/file-body.ts'
import { type HttpAnswer, isFull, type PrinterHttp } from '../wire/printer-http.ts'
import { memberOf, textIn } from '../wire/wire-values.ts'
import { listenToPushes } from './push-socket.ts'

/** OctoPrint answers questions at once; an action waits for the serial line. */
const QUESTION_TIMEOUT_MS = 10_000
/** With throttle 2 a report comes each second while the printer says anything; after so much silence OctoPrint is asked. */
const SILENCE_MS = 15_000
/** The slowest upload that is waited for. OctoPrint runs on small machines with slow cards. */
const UPLOAD_BYTES_PER_SECOND = 100_000
const UPLOAD_LEAST_MS = 60_000

/** OctoPrint's REST calls and push socket, without any meaning put into them. */
export interface OctoPrintApi {
  /** Listens until the connection ends; resolves or rejects then. `onMessage` is given each message as parsed JSON. */
  listen(handlers: { onUp(): void; onMessage(message: unknown): void }, signal: AbortSignal): Promise<void>
  /** Sends one command; rejects unless it was accepted. */
  post(path: string, body: Record<string, unknown>, signal: AbortSignal): Promise<void>
  upload(file: FileToUpload, signal: AbortSignal): Promise<void>
  remove(fileName: string, signal: AbortSignal): Promise<void>
  /** Answers what OctoPrint knows of a file in its own store, with how often it was printed; undefined when it has none of this path. */
  readFile(path: string, signal: AbortSignal): Promise<unknown>
  /** Answers what the settings say of the webcam; undefined when the key may not read them. */
  readWebcam(signal: AbortSignal): Promise<unknown>
}

/** `waitFactor` as in `DriverContext`. */
export function createOctoPrintApi(http: PrinterHttp, waitFactor: number): OctoPrintApi {
  return {
    async listen({ onUp, onMessage }, signal) {
      const login = await http.ask({
        method: 'POST',
        path: 'api/login',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ passive: true }),
        timeoutMs: QUESTION_TIMEOUT_MS,
        signal,
      })
      if (isRefusal(login)) throw new CredentialsRefusedError('credentials refused')
      const name = textIn(memberOf(login.json, 'name'))
      const session = textIn(memberOf(login.json, 'session'))
      if (login.status !== 200 || name === null || session === null) {
        throw new DriverError('REFUSED', `this is not OctoPrint, or not ready yet (status ${login.status})`)
      }
      const silenceMs = SILENCE_MS * waitFactor
      const askState = async (asking: AbortSignal) => {
        const timeoutMs = Math.min(QUESTION_TIMEOUT_MS, silenceMs)
        const answer = await http.ask({ method: 'GET', path: 'api/job', timeoutMs, signal: asking })
        if (answer.status >= 500) throw new DriverError('NO_ANSWER', sentence(answer))
        return textIn(memberOf(answer.json, 'state')) ?? undefined
      }
      await listenToPushes({
        base: http.base,
        auth: `${name}:${session}`,
        onUp,
        onMessage,
        silenceMs,
        askState,
        signal,
      })
    },
    async post(path, body, signal) {
      accept(
        await http.ask({
          method: 'POST',
          path,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
          timeoutMs: QUESTION_TIMEOUT_MS,
          signal,
        }),
      )
    },
    async upload(file, signal) {
      const { path, size_bytes, file_name, onSent } = file
      // Never with `print`: while another job runs the answer is yes anyway.
      const body = formBody({}, { field: 'file', fileName: file_name, path, sizeBytes: size_bytes, onSent })
      const timeoutMs = Math.max(UPLOAD_LEAST_MS, (size_bytes / UPLOAD_BYTES_PER_SECOND) * 1_000)
      const freeSpace = { path: 'api/files/local', freeIn: (json: unknown) => memberOf(json, 'free') }
      try {
        const answer = await http.ask({ method: 'POST', path: 'api/files/local', body, timeoutMs, signal })
        if (isFull(answer)) throw new ConnectionProblemError('storage_full')
        if (answer.status === 400 && !isRefusal(answer)) throw new DriverError('UPLOAD_BROKEN', sentence(answer))
        accept(answer)
      } catch (error) {
        await blameFullDisk(error, { http, ...freeSpace, file, signal })
      }
    },
    async remove(fileName, signal) {
      const path = `api/files/local/${encodeURIComponent(fileName)}`
      const answer = await http.ask({ method: 'DELETE', path, timeoutMs: QUESTION_TIMEOUT_MS, signal })
      if (answer.status !== 404) accept(answer)
    },
    async readFile(filePath, signal) {
      const path = `api/files/local/${filePath.split('/').map(encodeURIComponent).join('/')}`
      const answer = await http.ask({ method: 'GET', path, timeoutMs: QUESTION_TIMEOUT_MS, signal })
      if (answer.status === 404) return undefined
      accept(answer)
      return answer.json
    },
    async readWebcam(signal) {
      const answer = await http.ask({ method: 'GET', path: 'api/settings', timeoutMs: QUESTION_TIMEOUT_MS, signal })
      accept(answer)
      return memberOf(answer.json, 'webcam')
    },
  }
}

/** @throws DriverError unless the answer says that the command was accepted; acceptance is no evidence of an effect. */
function accept(answer: HttpAnswer): void {
  if (answer.status >= 200 && answer.status < 300) return
  // The key was good enough to listen: it lacks the permission.
  if (isRefusal(answer)) {
    throw new ConnectionProblemError('commands_refused', {
      message: 'OctoPrint refuses the command: credentials refused.',
      remedy: 'Give the API key of a user who may upload, print and control the printer.',
    })
  }
  // 409: the printer is not in a state for this. Something else may be printing.
  if (answer.status === 409) throw new DriverError('WRONG_STATE', sentence(answer))
  if (answer.status >= 500) throw new DriverError('NO_ANSWER', sentence(answer))
  throw new DriverError('REFUSED', sentence(answer))
}

/**
 * True when OctoPrint does not know our key. To a POST with one that it does not know it answers as to a page of a browser
 * that lacks its token, with 400.
 */
function isRefusal({ status, json }: HttpAnswer): boolean {
  if (status === 401 || status === 403) return true
  return status === 400 && /CSRF/i.test(textIn(memberOf(json, 'error'), 300) ?? '')
}

function sentence(answer: HttpAnswer): string {
  const said = textIn(memberOf(answer.json, 'error'), 300)
  return said ?? `OctoPrint answers with status ${answer.status}`
}
