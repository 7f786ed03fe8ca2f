import { resolve } from 'node:path'

/** What the hub needs to know, parsed once. */
export interface HubConfig {
  serviceUrl: string
  token: string
  dataDir: string
  /** How many simulated printers it offers for adoption. */
  virtualCount: number
  /** Simulated seconds for each real second, for virtual printers whose settings do not say. */
  speed: number
  cacheBytes: number
  /** Whether it looks for printers in the networks of its machine by itself. */
  isDiscoveryOn: boolean
  /** Whether it looks at addresses outside the local network when somebody asks it to. */
  allowsPublicAddresses: boolean
}

/** As given on a command line; what is left out comes from the environment, the joined hub's file, or the default. */
export interface HubOptions {
  url?: string | undefined
  token?: string | undefined
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
}

export class HubConfigError extends Error {
  readonly code = 'CONFIG_INVALID'
  readonly problems: readonly { setting: string; problem: string }[]

  constructor(problems: readonly { setting: string; problem: string }[]) {
    super(problems.map(({ setting, problem }) => `${setting}: ${problem}`).join('\n'))
    this.name = 'HubConfigError'
    this.problems = problems
  }
}

export const DEFAULT_DATA_DIR = './data/hub'
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
  }
  const token = options.token ?? (env.PRINTYARD_HUB_TOKEN || joined?.token)
  if (!token) {
    problems.push({
      setting: '--token, PRINTYARD_HUB_TOKEN',
      problem: 'missing; or join first: printyard hub join URL CODE',
    })
  } else if (!/^[\x21-\x7e]+$/.test(token)) {
    problems.push({ setting: '--token, PRINTYARD_HUB_TOKEN', problem: 'holds characters that no token has' })
  }
  const config = {
    serviceUrl: serviceUrl ?? '',
    token: token ?? '',
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
  }
  if (problems.length > 0) throw new HubConfigError(problems)
  return Object.freeze(config)
}

/** What finding printers needs to know. Throws a `HubConfigError`. */
export function readDiscoverySettings(
  env: NodeJS.ProcessEnv,
): Pick<HubConfig, 'isDiscoveryOn' | 'allowsPublicAddresses'> {
  const problems: { setting: string; problem: string }[] = []
  const settings = readSwitches(env, problems)
  if (problems.length > 0) throw new HubConfigError(problems)
  return settings
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
