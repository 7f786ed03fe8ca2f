import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { S3Error } from './s3-error.ts'
import {
  amzDate,
  authorizationOf,
  escapeUri,
  queryText,
  type S3Credentials,
  sha256Hex,
  signedQuery,
} from './signature.ts'

/** Bucket in which files are kept, and its keys. */
export interface S3Target extends S3Credentials {
  /** Such as `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string
  bucket: string
}

interface S3Patience {
  /** A store that sends nothing for this long is given up. */
  idleMs: number
  /** Number of times that a request is sent in all. */
  tries: number
  /** The pause before the second try; each further one is three times as long. */
  firstPauseMs: number
}

const defaultPatience: S3Patience = { idleMs: 30_000, tries: 4, firstPauseMs: 250 }

interface S3Request {
  method: 'GET' | 'PUT' | 'POST' | 'HEAD' | 'DELETE'
  /** Undefined for the bucket itself. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Sent whole, so that its hash is signed and the store notices every byte that changed on the way. */
  body?: Buffer
  /** Number of times that it is sent in all, and how long it may take to be answered, where that differs from others. */
  tries?: number
  idleMs?: number
  /** No further try begins later than this many milliseconds after the first. */
  withinMs?: number
}

/** For requests that something waits for which has little time, such as a transaction or `/readyz`. */
export const brief = { tries: 3, idleMs: 5_000, withinMs: 5_000 }

interface S3Answer {
  status: number
  header(name: string): string | undefined
  /** Must be read or destroyed. */
  body: IncomingMessage
}

/** An error page is read to here. */
const maxErrorBytes = 64 * 1024

/** Requests to one bucket, with its name in the path, as every store understands it. */
export class S3Client {
  readonly #target: S3Target
  readonly #patience: S3Patience
  readonly #url: URL
  readonly #agent: PlainAgent
  readonly #send: typeof plainRequest

  constructor(target: S3Target, patience: S3Patience = defaultPatience) {
    this.#target = target
    this.#patience = patience
    this.#url = new URL(target.endpoint)
    const isTls = this.#url.protocol === 'https:'
    const options = { keepAlive: true, maxSockets: 64, timeout: 60_000 }
    this.#agent = isTls ? new TlsAgent(options) : new PlainAgent(options)
    this.#send = isTls ? tlsRequest : plainRequest
  }

  /**
   * Sends a request, again when the store was busy or silent: each may be sent twice without harm.
   *
   * @throws S3Error when it answers no, or the error of the connection
   */
  async send(request: S3Request): Promise<S3Answer> {
    const tries = request.tries ?? this.#patience.tries
    const until = performance.now() + (request.withinMs ?? Number.POSITIVE_INFINITY)
    let pauseMs = this.#patience.firstPauseMs
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#sendOnce(request)
      } catch (error) {
        const isPassing = error instanceof S3Error ? error.isPassing : true
        if (!isPassing || attempt >= tries || performance.now() + pauseMs > until) throw error
        await wait(pauseMs * (0.5 + Math.random() / 2))
        pauseMs *= 3
      }
    }
  }

  /** The text of an answer, such as a list. Rejects `S3Error` for an error that hides behind status 200. */
  async sendForText(request: S3Request): Promise<string> {
    const { body, status } = await this.send(request)
    const answer = await text(body)
    if (answer.includes('<Error>')) throw errorOf(status, answer)
    return answer
  }

  /** For what has no answer but its status and headers. */
  async sendForHeaders(request: S3Request): Promise<Omit<S3Answer, 'body'>> {
    const answer = await this.send(request)
    answer.body.resume()
    return answer
  }

  /**
   * An address at which anyone gets an object for so many seconds.
   *
   * @param endpoint where they reach the store
   * @param query what the store is asked to answer in its headers
   */
  signedUrl(endpoint: string, key: string, query: Record<string, string>, seconds: number): string {
    const url = new URL(endpoint)
    const path = this.#pathOf(url, key)
    return `${url.origin}${path}?${signedQuery({ host: url.host, path, query, seconds }, this.#target, new Date())}`
  }

  #pathOf(endpoint: URL, key: string | undefined): string {
    const prefix = endpoint.pathname.replace(/\/$/, '')
    const segments = [this.#target.bucket, ...(key === undefined ? [] : key.split('/'))]
    return `${prefix}/${segments.map(escapeUri).join('/')}`
  }

  async #sendOnce({ method, key, query = {}, headers = {}, body, idleMs }: S3Request): Promise<S3Answer> {
    const path = this.#pathOf(this.#url, key)
    const now = new Date()
    const payloadSha256 = sha256Hex(body ?? '')
    const signed: Record<string, string> = {
      ...headers,
      host: this.#url.host,
      'x-amz-content-sha256': payloadSha256,
      'x-amz-date': amzDate(now),
    }
    const authorization = authorizationOf({ method, path, query, headers: signed, payloadSha256 }, this.#target, now)
    const search = queryText(query)
    const answer = await this.#exchange(
      {
        method,
        path: search === '' ? path : `${path}?${search}`,
        headers: { ...signed, authorization, 'content-length': String(body?.length ?? 0) },
      },
      body,
      idleMs ?? this.#patience.idleMs,
    )
    const status = answer.statusCode ?? 0
    if (status >= 200 && status < 300) {
      return {
        status,
        header: (name) => {
          const value = answer.headers[name]
          return Array.isArray(value) ? value[0] : value
        },
        body: answer,
      }
    }
    throw errorOf(status, method === 'HEAD' ? await drained(answer) : await readShort(answer))
  }

  #exchange(
    options: { method: string; path: string; headers: Record<string, string> },
    body: Buffer | undefined,
    idleMs: number,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const sending = this.#send(
        {
          ...options,
          agent: this.#agent,
          protocol: this.#url.protocol,
          hostname: this.#url.hostname.replace(/^\[|\]$/g, ''),
          ...(this.#url.port !== '' && { port: Number(this.#url.port) }),
        },
        (answer) => {
          // A body that breaks while no one reads it yet would otherwise end the process.
          answer.on('error', () => undefined)
          resolve(answer)
        },
      )
      sending.setTimeout(idleMs, () => {
        sending.destroy(Object.assign(new Error('the S3 store sent nothing for too long'), { code: 'ETIMEDOUT' }))
      })
      sending.on('error', reject)
      sending.end(body)
    })
  }
}

async function drained(answer: IncomingMessage): Promise<string> {
  answer.resume()
  return ''
}

/** Answers what an error page begins with; the rest is of no use. */
async function readShort(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= maxErrorBytes) break
    }
  } catch {
    // Cut off: its status says enough.
  }
  return Buffer.concat(chunks).toString('utf8')
}

function errorOf(status: number, page: string): S3Error {
  const code = tagsOf(page, 'Code')[0] ?? ''
  // Stores answer 200 to the end of an upload before they know how it ends; what went wrong then is theirs.
  const meant = status < 300 ? 500 : status
  return new S3Error(meant, code, (tagsOf(page, 'Message')[0] ?? 'no reason given').slice(0, 300))
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }

/** The texts of all elements of one name in an answer of the store. */
export function tagsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, inner = '']) =>
    inner
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll(/&(amp|lt|gt|quot|apos);/g, (entity) => entities[entity] ?? entity),
  )
}
