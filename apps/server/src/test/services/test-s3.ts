import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isPeerThere, peersFolder } from '../../../../../scripts/pending-peers.mjs'
import { S3Client, type S3Target, tagsOf } from '../../file-store/s3-client.ts'

const startMs = 60_000

export type S3Kind = 'moto' | 's3rver'

/** True when `npm test` could install a store; says so when it could not, because tests are skipped then. */
export function isS3Installed(kind: S3Kind): boolean {
  if (isPeerThere(kind)) return true
  console.warn(`SKIPPED: ${kind} is not installed (npm test installs it)`)
  return false
}

/** A real S3 store of others, with an empty bucket for each one who asks. */
export interface TestS3 {
  endpoint: string
  /** A new bucket, and the keys to it. */
  makeBucket(): Promise<S3Target>
  close(): Promise<void>
}

let buckets = 0

/** @param isStrict it checks signatures and keys; moto alone can */
export async function startTestS3(kind: S3Kind, { isStrict = false } = {}): Promise<TestS3> {
  const folder = mkdtempSync(join(tmpdir(), 'printyard-s3-'))
  const [command, args] =
    kind === 'moto'
      ? [join(peersFolder, 'moto/bin/moto_server'), ['-H', '127.0.0.1', '-p', '0']]
      : [
          process.execPath,
          [
            join(peersFolder, 's3rver/node_modules/s3rver/bin/s3rver.js'),
            ...['--directory', folder, '--address', '127.0.0.1', '--port', '0'],
          ],
        ]
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(isStrict && { INITIAL_NO_AUTH_ACTION_COUNT: String(grants.length) }) },
  })
  async function close(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  const open = async () => {
    const endpoint = `http://127.0.0.1:${await portOf(child)}`
    const pair = isStrict ? await makeKeys(endpoint) : { accessKey: 'S3RVER', secretAccessKey: 'S3RVER' }
    return { endpoint, keys: { ...pair, region: 'us-east-1' } }
  }
  const { endpoint, keys } = await open().catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    endpoint,
    async makeBucket() {
      buckets += 1
      const target = { ...keys, endpoint, bucket: `printyard-${process.pid}-${buckets}` }
      await new S3Client(target).sendForHeaders({ method: 'PUT' })
      return target
    },
    close,
  }
}

const everything = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] }

/** What moto does for anybody before it begins to check who asks. */
const grants = [
  { Action: 'CreateUser', UserName: 'printyard' },
  {
    Action: 'PutUserPolicy',
    UserName: 'printyard',
    PolicyName: 'all',
    PolicyDocument: JSON.stringify(everything),
  },
  { Action: 'CreateAccessKey', UserName: 'printyard' },
]

async function makeKeys(endpoint: string): Promise<{ accessKey: string; secretAccessKey: string }> {
  let text = ''
  for (const grant of grants) {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: { authorization: 'AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/iam/aws4_request' },
      body: new URLSearchParams({ ...grant, Version: '2010-05-08' }),
    })
    text = await answer.text()
    if (!answer.ok) throw new Error(`The S3 store refuses ${grant.Action}: ${text}`)
  }
  const [accessKey = ''] = tagsOf(text, 'AccessKeyId')
  const [secretAccessKey = ''] = tagsOf(text, 'SecretAccessKey')
  return { accessKey, secretAccessKey }
}

/** The port that a store says it listens on. */
function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => fail('it did not say where it listens'), startMs)
    const fail = (why: string) => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`The S3 store did not start: ${why}\n${output}`))
    }
    const read = (text: Buffer) => {
      output += text
      const port = /(?:listening on|Running on) \S*?127\.0\.0\.1:(\d+)/.exec(output)?.[1]
      if (port === undefined) return
      clearTimeout(timer)
      resolve(Number(port))
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code) => fail(`it ended with ${code}`))
  })
}

/** What goes wrong with a request on its way to a store. */
export type S3Fault =
  /** Answered by these without asking the store. */
  | { status: number; code: string }
  /** Never answered. */
  | 'silence'
  /** The connection ends in the middle of the request's body. */
  | 'cut request'
  /** The store does it, and its answer is lost. */
  | 'lose answer'
  /** The connection ends in the middle of the answer. */
  | 'cut answer'

/** A way to a store on which things go wrong: asked of each request, what does. */
export async function startFaultyWay(
  endpoint: string,
  faultOf: (request: { method: string; url: string }) => S3Fault | undefined,
): Promise<{ endpoint: string; close(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const fault = faultOf({ method: request.method ?? '', url: request.url ?? '' })
    request.on('error', () => undefined)
    if (fault === 'silence') return void request.resume()
    if (fault === 'cut request') return void request.once('data', () => request.socket.destroy())
    if (typeof fault === 'object') {
      request.resume()
      return void response.writeHead(fault.status).end(`<Error><Code>${fault.code}</Code></Error>`)
    }
    pass(endpoint, request, response, fault)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function pass(
  endpoint: string,
  request: IncomingMessage,
  response: ServerResponse,
  fault: 'lose answer' | 'cut answer' | undefined,
): void {
  const { method, url, headers } = request
  const passing = forward(new URL(url ?? '/', endpoint), { method, headers }, (answer) => {
    if (fault === 'lose answer') {
      answer.resume().once('end', () => request.socket.destroy())
      return
    }
    response.writeHead(answer.statusCode ?? 500, answer.headers)
    if (fault === 'cut answer') {
      answer.once('data', (chunk: Buffer) => {
        response.write(chunk.subarray(0, chunk.length / 2), () => request.socket.destroy())
      })
      return
    }
    answer.pipe(response)
  })
  passing.on('error', () => request.socket.destroy())
  request.pipe(passing)
}
