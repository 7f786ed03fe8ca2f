import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isPlainTextBeyondMachine, plainTextProblem, plainTextSetting } from './plain-text.ts'
import { describeError } from './util/log.ts'

/** What the hub needs to know, parsed once. */
export interface HubConfig {
  serviceUrl: string
  token: string
  /** Place where the token is kept, so that the service can replace it; left out where it comes from a command line or the environment. */
  keptToken?: KeptToken
  /** The authority of the service's certificate (PEM), which is trusted alone; left out, those that Node knows are. */
  authority?: string
  dataDir: string
  /** Number of simulated printers it offers for adoption. */
  virtualCount: number
  /** Simulated seconds for each real second, for virtual printers whose settings do not say. */
  speed: number
  cacheBytes: number
  /** True when it looks for printers in the networks of its machine by itself. */
  isDiscoveryOn: boolean
  /** True when it looks at addresses outside the local network when a person asks it to. */
  allowsPublicAddresses: boolean
  /** It talks to its service without encryption, over a network: allowed, and told to people. */
  isPlainText?: boolean
}

/** A token in `hub.json` of the data directory. */
interface KeptToken {
  hubId: string
  /** Those before, the newest first, for a service whose database was restored from before a renewal. */
  former: readonly string[]
}

/** As given on a command line; what is left out comes from the environment, the joined hub's file, or the default. */
export interface HubOptions {
  url?: string | undefined
  token?: string | undefined
  caFile?: string | undefined
  dataDir?: string | undefined
  virtual?: string | number | undefined
  speed?: string | number | undefined
}

/** What `join` stored. */
export interface JoinedHub {
  service_url: string
  hub_id: string
  token: string
  name: string
  /** The tokens before this one, which the service replaced by itself, the newest first. */
  former_tokens?: string[]
  /** It was joined with leave to talk without encryption. */
  allows_plain_text?: boolean
  /** The authority that it was joined with (PEM): from then on the service has to show a certificate of it. */
  authority?: string
}

export class HubConfigError extends Error {
  readonly code = 'CONFIG_INVALID'
  readonly problems: readonly { setting: string; problem: string }[]

  constructor(problems: readonly { setting: string; problem: string }[], options?: ErrorOptions) {
    super(problems.map(({ setting, problem }) => `${setting}: ${problem}`).join('\n'), options)
    this.name = 'HubConfigError'
    this.problems = problems
  }
}

const DEFAULT_DATA_DIR = './data/hub'
const MEGABYTE = 1024 * 1024

export function readDataDir(options: HubOptions, env: NodeJS.ProcessEnv): string {
  return resolve(options.dataDir ?? (env.PRINTYARD_HUB_DATA_DIR || DEFAULT_DATA_DIR))
}

/** Throws a `HubConfigError` that names everything that is wrong at once. */
export function readHubConfig(options: HubOptions, env: NodeJS.ProcessEnv, joined: JoinedHub | undefined): HubConfig {
  const problems: { setting: string; problem: string }[] = []
  const number = (setting: string, value: string | number, min: number, max: number, isWhole: boolean) => {
    const parsed = typeof value === 'number' ? value : value.trim() === '' ? Number.NaN : Number(value)
    if (parsed >= min && parsed <= max && (!isWhole || Number.isInteger(parsed))) return parsed
    problems.push({ setting, problem: `${value} is not a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}` })
    return min
  }
  const serviceUrl = options.url ?? (env.PRINTYARD_HUB_URL || joined?.service_url)
  if (!serviceUrl) {
    problems.push({
      setting: '--url, PRINTYARD_HUB_URL',
      problem: 'missing; or join first: printyard hub join URL CODE',
    })
  } else if (!isHttpUrl(serviceUrl)) {
    problems.push({ setting: '--url, PRINTYARD_HUB_URL', problem: `${serviceUrl} is not an http or https address` })
  } else if (isPlainTextBeyondMachine(serviceUrl) && !canUsePlainText(env, problems, serviceUrl, joined)) {
    problems.push({ setting: '--url, PRINTYARD_HUB_URL', problem: plainTextProblem(serviceUrl) })
  }
  const given = options.token ?? (readTokenFile(env, problems) || env.PRINTYARD_HUB_TOKEN || undefined)
  const token = given ?? joined?.token
  if (!token) {
    problems.push({
      setting: '--token, PRINTYARD_HUB_TOKEN',
      problem: 'missing; or join first: printyard hub join URL CODE',
    })
  } else if (!/^[\x21-\x7e]+$/.test(token)) {
    problems.push({ setting: '--token, PRINTYARD_HUB_TOKEN', problem: 'holds characters that no token has' })
  }
  const authority = readAuthority(options, env, problems) ?? authorityOf(joined, serviceUrl)
  const config = {
    serviceUrl: serviceUrl ?? '',
    token: token ?? '',
    ...(given === undefined && joined && { keptToken: { hubId: joined.hub_id, former: joined.former_tokens ?? [] } }),
    ...(authority !== undefined && { authority }),
    dataDir: readDataDir(options, env),
    virtualCount: number(
      '--virtual, PRINTYARD_HUB_VIRTUAL',
      options.virtual ?? env.PRINTYARD_HUB_VIRTUAL ?? 0,
      0,
      500,
      true,
    ),
    speed: number('--speed, PRINTYARD_HUB_SPEED', options.speed ?? env.PRINTYARD_HUB_SPEED ?? 1, 0.01, 100_000, false),
    cacheBytes: number('PRINTYARD_HUB_CACHE_MB', env.PRINTYARD_HUB_CACHE_MB ?? 2048, 1, 10_000_000, false) * MEGABYTE,
    ...readSwitches(env, problems),
    isPlainText: serviceUrl !== undefined && isHttpUrl(serviceUrl) && isPlainTextBeyondMachine(serviceUrl),
  }
  if (problems.length > 0) throw new HubConfigError(problems)
  return Object.freeze(config)
}

/** The authority that the command line or the environment names. */
function readAuthority(
  { caFile }: Pick<HubOptions, 'caFile'>,
  env: NodeJS.ProcessEnv,
  problems: { setting: string; problem: string }[],
): string | undefined {
  const path = caFile ?? (env.PRINTYARD_HUB_CA_FILE || undefined)
  if (path === undefined) return undefined
  try {
    return readAuthorityFile(path)
  } catch (error) {
    problems.push({ setting: '--ca-file, PRINTYARD_HUB_CA_FILE', problem: describeError(error) })
    return undefined
  }
}

/** The certificates of a file, checked. Throws when there is none. */
export function readAuthorityFile(path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(`${path} cannot be read (${code})`, { cause })
  }
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw new Error(`${path} holds no certificate in the form of PEM`)
  try {
    return blocks.map((block) => new X509Certificate(block).toString()).join('')
  } catch (cause) {
    throw new Error(`${path} holds a damaged certificate`, { cause })
  }
}

/** Authority of the service that was joined; another address has its own. */
function authorityOf(joined: JoinedHub | undefined, serviceUrl: string | undefined): string | undefined {
  return joined?.service_url === serviceUrl ? joined?.authority : undefined
}

/** The token as container engines and systemd hand it over. */
function readTokenFile(env: NodeJS.ProcessEnv, problems: { setting: string; problem: string }[]): string | undefined {
  const setting = 'PRINTYARD_HUB_TOKEN_FILE'
  const path = env[setting]
  if (!path) return undefined
  if (env.PRINTYARD_HUB_TOKEN) {
    problems.push({ setting, problem: 'and PRINTYARD_HUB_TOKEN are both set; unset one of them' })
    return undefined
  }
  try {
    const token = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    if (token === '') problems.push({ setting, problem: `names an empty file: ${path}` })
    return token
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    problems.push({ setting, problem: `names a file that cannot be read (${code}): ${path}` })
    return undefined
  }
}

/** Answers where the log goes besides standard error. Throws a `HubConfigError`. */
export function readHubLogSettings(env: NodeJS.ProcessEnv): { path: string | undefined; maxMb: number; files: number } {
  const problems: { setting: string; problem: string }[] = []
  const read = (setting: string, fallback: number, max: number) => {
    const text = env[setting]
    if (!text) return fallback
    if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= max) return Number(text)
    problems.push({ setting, problem: `${text} is not a whole number from 1 to ${max}` })
    return fallback
  }
  const settings = {
    path: env.PRINTYARD_HUB_LOG_FILE || undefined,
    maxMb: read('PRINTYARD_HUB_LOG_FILE_MB', 10, 1_000),
    files: read('PRINTYARD_HUB_LOG_FILES', 5, 100),
  }
  if (problems.length > 0) throw new HubConfigError(problems)
  return settings
}

/** Answers what finding printers needs to know. Throws a `HubConfigError`. */
export function readDiscoverySettings(
  env: NodeJS.ProcessEnv,
): Pick<HubConfig, 'isDiscoveryOn' | 'allowsPublicAddresses'> {
  const problems: { setting: string; problem: string }[] = []
  const settings = readSwitches(env, problems)
  if (problems.length > 0) throw new HubConfigError(problems)
  return settings
}

/** Throws a `HubConfigError` for an address at which joining would send the code and the token unencrypted over a network. */
export function requireEncryption(serviceUrl: string, env: NodeJS.ProcessEnv): void {
  const problems: { setting: string; problem: string }[] = []
  if (isPlainTextBeyondMachine(serviceUrl) && !canUsePlainText(env, problems, serviceUrl, undefined)) {
    problems.push({ setting: 'URL', problem: plainTextProblem(serviceUrl) })
  }
  if (problems.length > 0) throw new HubConfigError(problems)
}

function canUsePlainText(
  env: NodeJS.ProcessEnv,
  problems: { setting: string; problem: string }[],
  serviceUrl: string,
  joined: JoinedHub | undefined,
): boolean {
  const value = env[plainTextSetting]
  if (value && value !== 'on' && value !== 'off') {
    problems.push({ setting: plainTextSetting, problem: `${value} is neither on nor off` })
    return true
  }
  if (value) return value === 'on'
  return joined?.allows_plain_text === true && joined.service_url === serviceUrl
}

function readSwitches(env: NodeJS.ProcessEnv, problems: { setting: string; problem: string }[]) {
  const read = (setting: string, fallback: 'on' | 'off') => {
    const value = env[setting] || fallback
    if (value !== 'on' && value !== 'off') problems.push({ setting, problem: `${value} is neither on nor off` })
    return value === 'on'
  }
  return {
    isDiscoveryOn: read('PRINTYARD_HUB_DISCOVERY', 'on'),
    allowsPublicAddresses: read('PRINTYARD_HUB_PUBLIC_ADDRESSES', 'off'),
  }
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}
