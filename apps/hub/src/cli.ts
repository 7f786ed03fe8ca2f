import { JOIN_PATH } from '@printyard/protocol/version'
import {
  HubConfigError,
  type HubOptions,
  isHttpUrl,
  type JoinedHub,
  readAuthorityFile,
  readDataDir,
  readHubConfig,
  requireEncryption,
} from './config.ts'
import { createHub } from './hub.ts'
import { loadHubKey } from './hub-key.ts'
import { findJoinedHub, writeJoinedHub } from './joined-hub.ts'
import { findAuthority, readFingerprint } from './link/find-authority.ts'
import { isPlainTextBeyondMachine } from './plain-text.ts'
import { CodedError } from './util/coded-error.ts'
import { requestOnce } from './util/http-request.ts'
import { createLineLog, describeError, type Log } from './util/log.ts'
import { explainDistrust, trustIn } from './util/trust.ts'

/** Reason why a code was not exchanged for a token, with the service's own code and sentence where it gave one. */
export class JoinError extends CodedError<string> {}

const JOIN_TIMEOUT_MS = 20_000

interface JoinOptions {
  url: string
  code: string
  dataDir?: string | undefined
  /** The authority of the service's certificate, as a file (PEM), or as its SHA-256 fingerprint. */
  caFile?: string | undefined
  caFingerprint?: string | undefined
}

/**
 * Exchanges a join code for this hub's token and keeps it in the data directory, readable by its owner only. Rejects with a
 * `JoinError` or a `HubConfigError`. The token is not part of what it resolves with, so that it can be printed.
 */
export async function joinHub(
  options: JoinOptions,
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ hub_id: string; name: string; data_dir: string }> {
  if (!isHttpUrl(options.url)) {
    throw new HubConfigError([{ setting: 'URL', problem: `${options.url} is not an http or https address` }])
  }
  const serviceUrl = options.url.replace(/\/+$/, '')
  requireEncryption(serviceUrl, env)
  const dataDir = readDataDir(options, env)
  const { publicKey } = await loadHubKey(dataDir)
  const authority = await readAuthority(serviceUrl, options, env)
  const { hub_id, token, name } = await exchangeCode({ serviceUrl, authority, code: options.code, publicKey })
  const joined: JoinedHub = {
    service_url: serviceUrl,
    hub_id,
    token,
    name,
    ...(isPlainTextBeyondMachine(serviceUrl) && { allows_plain_text: true }),
    ...(authority !== undefined && { authority }),
  }
  await writeJoinedHub(dataDir, joined)
  return { hub_id, name, data_dir: dataDir }
}

/**
 * Runs the hub until SIGINT, SIGTERM or the given signal; resolves once everything is let go. Rejects with a
 * `HubConfigError`, a `DataDirHeldError` or a `JournalDamagedError`.
 */
export async function runHub(
  options: HubOptions,
  context: { env?: NodeJS.ProcessEnv; log?: Log; signal?: AbortSignal } = {},
): Promise<void> {
  const { env = process.env, log = createLineLog(), signal } = context
  const config = readHubConfig(options, env, await findJoinedHub(readDataDir(options, env)))
  const hub = createHub(config, { log })
  const asked = Promise.withResolvers<string>()
  const askedByTerminal = () => asked.resolve('SIGINT')
  const askedBySystem = () => asked.resolve('SIGTERM')
  const askedByCaller = () => asked.resolve('the caller')
  process.on('SIGINT', askedByTerminal)
  process.on('SIGTERM', askedBySystem)
  signal?.addEventListener('abort', askedByCaller, { once: true })
  if (signal?.aborted) askedByCaller()
  // While no service can be reached nothing else may keep the process alive.
  const keepAlive = setInterval(() => undefined, 60_000)
  try {
    await hub.start()
    const by = await asked.promise
    log.info('the hub stops', { asked_by: by })
    await hub.stop()
  } finally {
    clearInterval(keepAlive)
    process.off('SIGINT', askedByTerminal)
    process.off('SIGTERM', askedBySystem)
    signal?.removeEventListener('abort', askedByCaller)
  }
}

/** Answers whom the hub is to trust as the authority of its service; undefined: those that Node knows. */
async function readAuthority(
  serviceUrl: string,
  { caFile, caFingerprint }: JoinOptions,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const path = caFile ?? (env.PRINTYARD_HUB_CA_FILE || undefined)
  if (path === undefined && caFingerprint === undefined) return undefined
  const setting = caFingerprint === undefined ? '--ca-file' : '--ca-fingerprint'
  const fail = (problem: string): never => {
    throw new HubConfigError([{ setting, problem }])
  }
  if (!serviceUrl.startsWith('https:'))
    return fail(`${serviceUrl} is not an https address: nothing there shows a certificate`)
  if (caFingerprint === undefined) {
    try {
      return readAuthorityFile(path ?? '')
    } catch (cause) {
      return fail(describeError(cause))
    }
  }
  if (caFile !== undefined) return fail('and --ca-file are both given; leave one of them out')
  const fingerprint =
    readFingerprint(caFingerprint) ?? fail(`${caFingerprint} is not a SHA-256 fingerprint of 64 digits`)
  try {
    return await findAuthority(serviceUrl, fingerprint)
  } catch (cause) {
    throw new JoinError('AUTHORITY_UNKNOWN', `${serviceUrl} is not trusted: ${describeError(cause)}`, { cause })
  }
}

const MOST_ANSWER_BYTES = 64 * 1024

async function exchangeCode({
  serviceUrl,
  authority,
  code,
  publicKey,
}: {
  serviceUrl: string
  authority: string | undefined
  code: string
  publicKey: string
}): Promise<{ hub_id: string; token: string; name: string }> {
  let status: number
  let body: unknown
  try {
    const answer = await requestOnce(new URL(`${serviceUrl}${JOIN_PATH}`), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: code.trim(), public_key: publicKey }),
      trust: trustIn(authority),
      signal: AbortSignal.timeout(JOIN_TIMEOUT_MS),
    })
    status = answer.statusCode ?? 0
    body = readJson(await readBody(answer))
  } catch (cause) {
    const problem = explainDistrust(cause)
    if (problem !== undefined)
      throw new JoinError('AUTHORITY_UNKNOWN', `${serviceUrl} is not trusted: ${problem}`, { cause })
    throw new JoinError('SERVICE_UNREACHABLE', `${serviceUrl} cannot be reached: ${describeError(cause)}`, { cause })
  }
  const { data, error } = (body ?? {}) as {
    data?: Record<string, unknown>
    error?: { code?: unknown; message?: unknown }
  }
  if (status < 200 || status >= 300) {
    const text = typeof error?.message === 'string' ? error.message : `the service answers ${status}`
    throw new JoinError(typeof error?.code === 'string' ? error.code : 'JOIN_REFUSED', text)
  }
  const { hub_id, token, name } = data ?? {}
  if (typeof hub_id !== 'string' || typeof token !== 'string' || typeof name !== 'string') {
    throw new JoinError('BAD_ANSWER', `${serviceUrl} does not answer like a Printyard service`)
  }
  return { hub_id, token, name }
}

async function readBody(answer: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer) {
    size += part.length
    if (size > MOST_ANSWER_BYTES) throw new Error('the answer is too long for one of a Printyard service')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Undefined when it is no JSON: something else than Printyard answers. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
