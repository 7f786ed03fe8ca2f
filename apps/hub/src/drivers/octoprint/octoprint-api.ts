import { WebSocket } from 'ws'
import { ConnectionProblemError } from '../connection-problem-error.ts'
import { DriverError, type FileToUpload } from '../driver.ts'
import { formBody } from '../file-body.ts'
import { blameFullDisk } from '../full-disk.ts'
import { CredentialsRefusedError } from '../keep-connected.ts'
import { type HttpAnswer, isFull, type PrinterHttp } from '../printer-http.ts'
import { memberOf, textIn } from '../wire-values.ts'

/** OctoPrint answers questions at once; an action waits for the serial line. */
const QUESTION_TIMEOUT_MS = 10_000
/** With throttle 2 a report comes each second; this much silence is a dead connection. */
const SILENCE_MS = 15_000
/** The slowest upload that is waited for. OctoPrint runs on small machines with slow cards. */
const UPLOAD_BYTES_PER_SECOND = 100_000
const UPLOAD_LEAST_MS = 60_000
const MAX_FRAME_BYTES = 8 * 1024 * 1024

/** OctoPrint's REST calls and push socket, without any meaning put into them. */
export interface OctoPrintApi {
  /** Listens until the connection ends; resolves or rejects then. `onMessage` is given each message as parsed JSON. */
  listen(handlers: { onUp(): void; onMessage(message: unknown): void }, signal: AbortSignal): Promise<void>
  /** Sends one command; rejects unless it was accepted. */
  post(path: string, body: Record<string, unknown>, signal: AbortSignal): Promise<void>
  upload(file: FileToUpload, signal: AbortSignal): Promise<void>
  remove(fileName: string, signal: AbortSignal): Promise<void>
  /** What the settings say of the webcam; undefined when the key may not read them. */
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
      await openSocket(http.base, `${name}:${session}`, { onUp, onMessage }, SILENCE_MS * waitFactor, signal)
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
      // Never with `print`: while another job runs the answer is yes all the same.
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
    async readWebcam(signal) {
      const answer = await http.ask({ method: 'GET', path: 'api/settings', timeoutMs: QUESTION_TIMEOUT_MS, signal })
      accept(answer)
      return memberOf(answer.json, 'webcam')
    },
  }
}

function openSocket(
  base: URL,
  auth: string,
  { onUp, onMessage }: { onUp(): void; onMessage(message: unknown): void },
  silenceMs: number,
  signal: AbortSignal,
): Promise<void> {
  const address = new URL('sockjs/websocket', base)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, {
      handshakeTimeout: QUESTION_TIMEOUT_MS,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
    })
    const give = (end: () => void) => {
      // Frames that came together with the last one would start the clock anew.
      socket.removeAllListeners('message')
      clearTimeout(silence)
      signal.removeEventListener('abort', onAbort)
      socket.terminate()
      end()
    }
    const onAbort = () => give(() => reject(signal.reason))
    const onSilence = () => give(() => reject(new DriverError('NO_ANSWER', 'OctoPrint fell silent')))
    let silence = setTimeout(onSilence, silenceMs)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.on('open', () => {
      // In this order: what we want is set before anything is sent to us.
      const events = ['PrintDone', 'PrintFailed', 'PrintCancelled', 'FirmwareData']
      const subscribe = { state: { logs: false, messages: false }, events, plugins: false }
      for (const message of [{ subscribe }, { auth }, { throttle: 2 }]) socket.send(JSON.stringify(message))
    })
    socket.on('message', (data) => {
      clearTimeout(silence)
      silence = setTimeout(onSilence, silenceMs)
      const message = parse(data.toString())
      if (memberOf(message, 'reauthRequired') !== undefined) {
        return give(() => reject(new DriverError('REFUSED', 'OctoPrint asks to log in again')))
      }
      if (memberOf(message, 'current') !== undefined || memberOf(message, 'history') !== undefined) onUp()
      onMessage(message)
    })
    socket.on('error', (error) => give(() => reject(new DriverError('UNREACHABLE', error.message, { cause: error }))))
    socket.on('close', () => give(resolve))
  })
}

/** A frame that is no JSON is ignored: the next one comes within a second. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
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
 * Whether OctoPrint does not know our key. To a POST with one that it does not know it answers as to a page of a browser
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
