import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import Type, { type Static, type TSchema } from 'typebox'
import { largestQuota, type Quotas, quotaNames, quotas } from './quotas.ts'
import { findNetworkProblem } from './trusted-proxies.ts'

/** One setting: how its text is read, what it means. */
interface Setting<T extends TSchema> {
  variable: string
  schema: T
  fallback?: Static<T>
  /** True for what must never be printed; the setting with `_FILE` behind its name reads it from a file. */
  isSecret?: boolean
  /** Problems of a text that fits the schema; undefined when nothing is. */
  findProblem?: (text: string) => string | undefined
  /** Variables without which this one cannot work. */
  needs?: readonly string[]
  description: string
}

function setting<T extends TSchema>(definition: Setting<T>): Setting<T> {
  return definition
}

/** A bucket and the place in it: `s3://BUCKET/PREFIX`, without a slash at the end. */
export const storeUrlPattern = '^s3://[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9](/[A-Za-z0-9._-]+)*$'

/** The whole environment. The table in the README is printed from it. */
export const settings = {
  host: setting({
    variable: 'PRINTYARD_HOST',
    schema: Type.String({ minLength: 1, maxLength: 255 }),
    fallback: '127.0.0.1',
    description: 'Address to listen on',
  }),
  port: setting({
    variable: 'PRINTYARD_PORT',
    schema: Type.Integer({ minimum: 0, maximum: 65535 }),
    fallback: 4400,
    description: 'Port to listen on; 0 picks a free port and prints it',
  }),
  dataDir: setting({
    variable: 'PRINTYARD_DATA_DIR',
    schema: Type.String({ minLength: 1, maxLength: 1000 }),
    fallback: './data',
    description: 'Folder for the database, print files and secret key',
  }),
  databaseUrl: setting({
    variable: 'DATABASE_URL',
    schema: Type.String({ pattern: '^postgres(ql)?://', maxLength: 2000 }),
    isSecret: true,
    description: 'URL of a PostgreSQL server to use instead of the built-in one',
  }),
  drainSeconds: setting({
    variable: 'PRINTYARD_DRAIN_SECONDS',
    schema: Type.Integer({ minimum: 0, maximum: 300 }),
    fallback: 2,
    description:
      'Shutdown delay with REDIS_URL, in seconds: a stopping process still answers, so that balancers see /readyz fail',
  }),
  redisUrl: setting({
    variable: 'REDIS_URL',
    schema: Type.String({ pattern: '^rediss?://[^\\s]+$', maxLength: 2000 }),
    isSecret: true,
    description:
      'URL of a Redis or Valkey over which several processes work together: live state, commands to hubs, rate limits',
  }),
  s3Endpoint: setting({
    variable: 'S3_ENDPOINT',
    schema: Type.String({ pattern: '^https?://[^/\\s?#@]+(/[^\\s?#]*)?$', maxLength: 500 }),
    needs: ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    description: 'URL of an S3 store that keeps print files and pictures instead of the data folder',
  }),
  s3Bucket: setting({
    variable: 'S3_BUCKET',
    schema: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$' }),
    needs: ['S3_ENDPOINT'],
    description: 'Bucket of the S3 store, for this installation alone',
  }),
  s3AccessKeyId: setting({
    variable: 'S3_ACCESS_KEY_ID',
    schema: Type.String({ pattern: '^[!-~]{1,200}$' }),
    isSecret: true,
    needs: ['S3_ENDPOINT'],
    description: 'Access key ID at the S3 store',
  }),
  s3SecretAccessKey: setting({
    variable: 'S3_SECRET_ACCESS_KEY',
    schema: Type.String({ pattern: '^[!-~]{1,500}$' }),
    isSecret: true,
    needs: ['S3_ENDPOINT'],
    description: 'Secret access key at the S3 store',
  }),
  s3Region: setting({
    variable: 'S3_REGION',
    schema: Type.String({ pattern: '^[A-Za-z0-9-]{1,60}$' }),
    fallback: 'us-east-1',
    description: 'Region of the S3 store, where it has several',
  }),
  s3PublicEndpoint: setting({
    variable: 'S3_PUBLIC_ENDPOINT',
    schema: Type.String({ pattern: '^https?://[^/\\s?#@]+(/[^\\s?#]*)?$', maxLength: 500 }),
    needs: ['S3_ENDPOINT'],
    description:
      'URL at which browsers, programs and hubs reach the S3 store: they then download print files from there, by signed URLs',
  }),
  postgresBinDir: setting({
    variable: 'PRINTYARD_POSTGRES_BIN_DIR',
    schema: Type.String({ pattern: '^/', maxLength: 1000 }),
    description:
      "Folder with the programs of another PostgreSQL (15 or newer) to run instead of the built-in one, such as Debian's `/usr/lib/postgresql/15/bin`",
  }),
  secretKey: setting({
    variable: 'PRINTYARD_SECRET_KEY',
    schema: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    isSecret: true,
    description: 'Secret key: 64 hex digits that encrypt printer credentials, instead of the file secret.key',
  }),
  formerSecretKey: setting({
    variable: 'PRINTYARD_FORMER_SECRET_KEY',
    schema: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    isSecret: true,
    needs: ['PRINTYARD_SECRET_KEY'],
    description: 'Former secret key, during a rotation',
  }),
  publicUrl: setting({
    variable: 'PRINTYARD_PUBLIC_URL',
    schema: Type.String({ pattern: '^https?://[^/]+$', maxLength: 500 }),
    description: 'Public URL of the service when it runs behind a proxy',
  }),
  allowedHosts: setting({
    variable: 'PRINTYARD_ALLOWED_HOSTS',
    schema: Type.String({ pattern: '^[A-Za-z0-9.-]+( *, *[A-Za-z0-9.-]+)*$', maxLength: 2000 }),
    description: 'Further host names of the service for browsers, comma-separated',
  }),
  tlsCertFile: setting({
    variable: 'PRINTYARD_TLS_CERT_FILE',
    schema: Type.String({ minLength: 1, maxLength: 1000 }),
    needs: ['PRINTYARD_TLS_KEY_FILE'],
    description: 'File with the certificate and its chain (PEM), for HTTPS without a proxy; read again when it changes',
  }),
  tlsKeyFile: setting({
    variable: 'PRINTYARD_TLS_KEY_FILE',
    schema: Type.String({ minLength: 1, maxLength: 1000 }),
    needs: ['PRINTYARD_TLS_CERT_FILE'],
    description: 'File with the private key of that certificate (PEM)',
  }),
  trustedProxies: setting({
    variable: 'PRINTYARD_TRUSTED_PROXIES',
    schema: Type.String({ minLength: 1, maxLength: 2000 }),
    findProblem: findNetworkProblem,
    description: 'Trusted proxies: comma-separated addresses or networks, such as `127.0.0.1, 10.0.0.0/8`',
  }),
  rateLimitPerMinute: setting({
    variable: 'PRINTYARD_RATE_LIMIT_PER_MINUTE',
    schema: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
    fallback: 120,
    description: 'Rate limit: requests per minute for each API key',
  }),
  maxFileMb: setting({
    variable: 'PRINTYARD_MAX_FILE_MB',
    schema: Type.Integer({ minimum: 1, maximum: 10_000 }),
    fallback: 500,
    description: 'Largest print file, in MB',
  }),
  eventsKeptDays: setting({
    variable: 'PRINTYARD_EVENTS_KEPT_DAYS',
    schema: Type.Integer({ minimum: 0, maximum: 36_500 }),
    fallback: 365,
    description: 'Retention of events and of the audit log, in days; 0 for no limit',
  }),
  printerTimeKeptDays: setting({
    variable: 'PRINTYARD_PRINTER_TIME_KEPT_DAYS',
    schema: Type.Integer({ minimum: 0, maximum: 36_500 }),
    fallback: 730,
    description: 'Retention of printer time, in days; 0 for no limit',
  }),
  failurePicturesKeptDays: setting({
    variable: 'PRINTYARD_FAILURE_PICTURES_KEPT_DAYS',
    schema: Type.Integer({ minimum: 0, maximum: 36_500 }),
    fallback: 365,
    description: 'Retention of camera pictures of failed prints, in days; 0 for no limit',
  }),
  backupDir: setting({
    variable: 'PRINTYARD_BACKUP_DIR',
    schema: Type.String({ minLength: 1, maxLength: 1000 }),
    findProblem: (text) =>
      /^[a-z0-9+.-]+:\/\//i.test(text)
        ? 'must be a folder; PRINTYARD_BACKUP_COPY_TO takes s3://BUCKET/PREFIX'
        : undefined,
    description: 'Folder for backups, on another disk than the data; `backups` in the data folder unless set',
  }),
  backupPassphraseFile: setting({
    variable: 'PRINTYARD_BACKUP_PASSPHRASE_FILE',
    schema: Type.String({ minLength: 1, maxLength: 1000 }),
    description: 'File with the passphrase that encrypts backups',
  }),
  backupCopyTo: setting({
    variable: 'PRINTYARD_BACKUP_COPY_TO',
    schema: Type.String({ pattern: storeUrlPattern, maxLength: 500 }),
    needs: ['PRINTYARD_BACKUP_S3_ENDPOINT'],
    description: 'Address of a second copy of each backup: `s3://BUCKET/PREFIX`',
  }),
  backupS3Endpoint: setting({
    variable: 'PRINTYARD_BACKUP_S3_ENDPOINT',
    schema: Type.String({ pattern: '^https?://[^/\\s?#@]+(/[^\\s?#]*)?$', maxLength: 500 }),
    needs: ['PRINTYARD_BACKUP_S3_ACCESS_KEY_ID', 'PRINTYARD_BACKUP_S3_SECRET_ACCESS_KEY'],
    description: 'URL of the S3 store for copies of backups',
  }),
  backupS3AccessKeyId: setting({
    variable: 'PRINTYARD_BACKUP_S3_ACCESS_KEY_ID',
    schema: Type.String({ pattern: '^[!-~]{1,200}$' }),
    isSecret: true,
    needs: ['PRINTYARD_BACKUP_S3_ENDPOINT'],
    description: 'Access key ID at the S3 store for backups',
  }),
  backupS3SecretAccessKey: setting({
    variable: 'PRINTYARD_BACKUP_S3_SECRET_ACCESS_KEY',
    schema: Type.String({ pattern: '^[!-~]{1,500}$' }),
    isSecret: true,
    needs: ['PRINTYARD_BACKUP_S3_ENDPOINT'],
    description: 'Secret access key at the S3 store for backups',
  }),
  backupS3Region: setting({
    variable: 'PRINTYARD_BACKUP_S3_REGION',
    schema: Type.String({ pattern: '^[A-Za-z0-9-]{1,60}$' }),
    fallback: 'us-east-1',
    description: 'Region of the S3 store for backups, where it has several',
  }),
  upgradeSnapshots: setting({
    variable: 'PRINTYARD_UPGRADE_SNAPSHOTS',
    schema: Type.Integer({ minimum: 0, maximum: 100 }),
    fallback: 3,
    description:
      'Number of snapshots of the database before upgrades that are kept; with 0 none is made, and a failed upgrade cannot be rolled back',
  }),
  operatorAccount: setting({
    variable: 'PRINTYARD_OPERATOR_ACCOUNT',
    schema: Type.String({ pattern: '^acc_[0-9a-z]{26}$' }),
    description:
      'Account whose owners and admins manage the backups of the whole service; needed only with several accounts',
  }),
  metricsToken: setting({
    variable: 'PRINTYARD_METRICS_TOKEN',
    schema: Type.String({ minLength: 16, maxLength: 500 }),
    isSecret: true,
    description: 'Bearer token for reading /metrics from other machines',
  }),
  smtpUrl: setting({
    variable: 'SMTP_URL',
    schema: Type.String({ pattern: '^smtps?://[^/\\s]+', maxLength: 2000 }),
    isSecret: true,
    // A link in a mail must not lead where the request that asked for it claims the service to be.
    needs: ['PRINTYARD_MAIL_FROM', 'PRINTYARD_PUBLIC_URL'],
    description: 'Mail server for invitations and password links: `smtps://user:password@host:465`',
  }),
  smtpPlainText: setting({
    variable: 'PRINTYARD_SMTP_PLAIN_TEXT',
    schema: Type.Unsafe<'on' | 'off'>({ type: 'string', enum: ['on', 'off'] }),
    fallback: 'off',
    description: 'Unencrypted mail to a server on another machine: on or off',
  }),
  mailFrom: setting({
    variable: 'PRINTYARD_MAIL_FROM',
    schema: Type.String({ pattern: '^[^\\r\\n]*[^\\s@]+@[^\\s@]+$', maxLength: 300 }),
    description: 'Sender of mail: an address, or `Printyard <printyard@example.com>`',
  }),
  oidcIssuer: setting({
    variable: 'PRINTYARD_OIDC_ISSUER',
    schema: Type.String({
      pattern: '^(https://[^\\s]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?(/[^\\s]*)?)$',
      maxLength: 500,
    }),
    needs: ['PRINTYARD_OIDC_CLIENT_ID'],
    description: 'Issuer URL of an OpenID Connect provider for sign-in',
  }),
  oidcClientId: setting({
    variable: 'PRINTYARD_OIDC_CLIENT_ID',
    schema: Type.String({ minLength: 1, maxLength: 500 }),
    needs: ['PRINTYARD_OIDC_ISSUER'],
    description: 'Client ID of this service at the provider',
  }),
  oidcClientSecret: setting({
    variable: 'PRINTYARD_OIDC_CLIENT_SECRET',
    schema: Type.String({ minLength: 1, maxLength: 1000 }),
    isSecret: true,
    needs: ['PRINTYARD_OIDC_ISSUER'],
    description: 'Client secret of this service at the provider; unset for a public client',
  }),
  oidcName: setting({
    variable: 'PRINTYARD_OIDC_NAME',
    schema: Type.String({ minLength: 1, maxLength: 60 }),
    fallback: 'single sign-on',
    description: 'Name of the provider on the sign-in button: `Sign in with …`',
  }),
  outboundNetworks: setting({
    variable: 'PRINTYARD_OUTBOUND_NETWORKS',
    schema: Type.String({ minLength: 1, maxLength: 2000 }),
    findProblem: findNetworkProblem,
    description:
      'Private networks allowed for webhooks, notifications, shops and MQTT brokers: comma-separated addresses or networks, such as `192.168.0.0/16`',
  }),
  pushNetworks: setting({
    variable: 'PRINTYARD_PUSH_NETWORKS',
    schema: Type.String({ minLength: 1, maxLength: 2000 }),
    findProblem: findNetworkProblem,
    description:
      'Private networks allowed for push services of browsers, which any member may use: addresses or networks as above',
  }),
  logLevel: setting({
    variable: 'PRINTYARD_LOG_LEVEL',
    schema: Type.Unsafe<'error' | 'warn' | 'info' | 'debug' | 'silent'>({
      type: 'string',
      enum: ['error', 'warn', 'info', 'debug', 'silent'],
    }),
    fallback: 'info',
    description: 'Log level: error, warn, info, debug or silent',
  }),
  logFile: setting({
    variable: 'PRINTYARD_LOG_FILE',
    schema: Type.String({ minLength: 1, maxLength: 1000 }),
    description: 'Log file, written in addition to standard error; rotated to `FILE.1`, `FILE.2` …',
  }),
  logFileMb: setting({
    variable: 'PRINTYARD_LOG_FILE_MB',
    schema: Type.Integer({ minimum: 1, maximum: 1_000 }),
    fallback: 10,
    description: 'Largest log file, in MB',
  }),
  logFiles: setting({
    variable: 'PRINTYARD_LOG_FILES',
    schema: Type.Integer({ minimum: 1, maximum: 100 }),
    fallback: 5,
    description: 'Number of log files that are kept, the current one included',
  }),
  postgresUid: setting({
    variable: 'PRINTYARD_POSTGRES_UID',
    schema: Type.Integer({ minimum: 1, maximum: 4_294_967_294 }),
    fallback: 65534,
    description: 'User ID under which PostgreSQL runs when the service itself is started as root',
  }),
} as const

type Settings = typeof settings
type ValueOf<S> = S extends Setting<infer T> ? Static<T> : never
type Optional =
  | 'databaseUrl'
  | 'redisUrl'
  | 's3Endpoint'
  | 's3Bucket'
  | 's3AccessKeyId'
  | 's3SecretAccessKey'
  | 's3PublicEndpoint'
  | 'secretKey'
  | 'formerSecretKey'
  | 'postgresBinDir'
  | 'publicUrl'
  | 'tlsCertFile'
  | 'tlsKeyFile'
  | 'allowedHosts'
  | 'trustedProxies'
  | 'backupDir'
  | 'backupPassphraseFile'
  | 'backupCopyTo'
  | 'backupS3Endpoint'
  | 'backupS3AccessKeyId'
  | 'backupS3SecretAccessKey'
  | 'logFile'
  | 'operatorAccount'
  | 'metricsToken'
  | 'outboundNetworks'
  | 'pushNetworks'
  | 'smtpUrl'
  | 'mailFrom'
  | 'oidcIssuer'
  | 'oidcClientId'
  | 'oidcClientSecret'

/** What the service runs with; a setting without a fallback is undefined unless given. */
export type Config = Readonly<{
  [K in keyof Settings]: K extends Optional ? ValueOf<Settings[K]> | undefined : ValueOf<Settings[K]>
}> & { readonly quotas: Quotas }

interface SettingProblem {
  variable: string
  problem: string
}

/** Problems of the environment, all of it at once. */
export class ConfigError extends Error {
  readonly problems: SettingProblem[]

  constructor(problems: SettingProblem[]) {
    const width = Math.max(...problems.map((problem) => problem.variable.length))
    const table = problems.map(({ variable, problem }) => `  ${variable.padEnd(width)}  ${problem}`).join('\n')
    super(`Some settings cannot be used:\n${table}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** All that the schemas of settings say. */
interface Form {
  type?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  enum?: string[]
  pattern?: string
}

/** Compiling the schemas would take a twentieth of a start. */
function fits(form: Form, value: string | number): boolean {
  if (form.type === 'integer') {
    return typeof value === 'number' && value >= (form.minimum ?? -Infinity) && value <= (form.maximum ?? Infinity)
  }
  if (typeof value !== 'string') return false
  return (
    value.length >= (form.minLength ?? 0) &&
    value.length <= (form.maxLength ?? Infinity) &&
    (form.enum?.includes(value) ?? true) &&
    (form.pattern === undefined || new RegExp(form.pattern, 'u').test(value))
  )
}

function describe(schema: Form): string {
  if (schema.type === 'integer') return `must be a whole number from ${schema.minimum} to ${schema.maximum}`
  if (schema.enum) return `must be one of ${schema.enum.join(', ')}`
  if (schema.pattern) return `must match ${schema.pattern}`
  return 'must not be empty, or is too long'
}

/** Reads the whole environment once. `overrides` are texts of command line options, by variable name. */
export function readConfig(environment: NodeJS.ProcessEnv, overrides: Record<string, string> = {}): Config {
  const problems: SettingProblem[] = []
  const config: Record<string, unknown> = {}
  const given = { ...environment, ...overrides }
  readSecretFiles(given, problems)
  for (const [name, { variable, schema, ...rest }] of Object.entries<Setting<TSchema>>(settings)) {
    const text = given[variable]
    if (text === undefined || text === '') {
      config[name] = rest.fallback
      continue
    }
    const value = (schema as { type?: string }).type === 'integer' && /^\d{1,12}$/.test(text) ? Number(text) : text
    const problem = fits(schema as Form, value) ? rest.findProblem?.(text) : describe(schema as Form)
    if (problem === undefined) config[name] = value
    else problems.push({ variable, problem })
  }
  for (const { variable, needs } of Object.values<Setting<TSchema>>(settings)) {
    const missing = given[variable] ? needs?.filter((name) => !given[name]) : undefined
    if (missing?.length) problems.push({ variable, problem: `needs ${missing.join(' and ')} too` })
  }
  config.quotas = readQuotas(given, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  config.dataDir = resolve(config.dataDir as string)
  return Object.freeze(config) as Config
}

/** Variables that name the file of a secret, each with the variable of the secret itself. */
const secretFiles = new Map(
  Object.values<Setting<TSchema>>(settings).flatMap(({ variable, isSecret }) =>
    isSecret === true ? [[`${variable}_FILE`, variable]] : [],
  ),
)

/** Puts the secrets that stand in files, as container engines and systemd hand them over, where they would stand without. */
function readSecretFiles(given: Record<string, string | undefined>, problems: SettingProblem[]): void {
  for (const [variable, secret] of secretFiles) {
    const path = given[variable]
    if (!path) continue
    if (given[secret]) {
      problems.push({ variable, problem: `and ${secret} are both set; unset one of them` })
      continue
    }
    try {
      given[secret] = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
      if (given[secret] === '') problems.push({ variable, problem: `names an empty file: ${path}` })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      problems.push({ variable, problem: `names a file that cannot be read (${code}): ${path}` })
    }
  }
}

/** The limits of an account, of which each has a setting. */
function readQuotas(given: Record<string, string | undefined>, problems: SettingProblem[]): Quotas {
  const read = quotaNames.map((name) => {
    const { variable, fallback } = quotas[name]
    const text = given[variable]
    if (text === undefined || text === '') return [name, fallback]
    const isRight = /^\d{1,12}$/.test(text) && Number(text) <= largestQuota
    if (!isRight) problems.push({ variable, problem: describe({ type: 'integer', minimum: 0, maximum: largestQuota }) })
    return [name, Number(text)]
  })
  // Each name once, by construction.
  return Object.freeze(Object.fromEntries(read)) as Quotas
}

/** Variables that begin with PRINTYARD_ and mean nothing: most often a slip of the pen. */
export function unknownSettings(environment: NodeJS.ProcessEnv): string[] {
  const known = new Set<string>([...Object.values(settings), ...Object.values(quotas)].map(({ variable }) => variable))
  for (const variable of secretFiles.keys()) known.add(variable)
  // Of the commands that go to a server by its API.
  for (const variable of ['PRINTYARD_URL', 'PRINTYARD_API_KEY']) known.add(variable)
  return Object.keys(environment).filter(
    (name) => name.startsWith('PRINTYARD_') && !name.startsWith('PRINTYARD_HUB_') && !known.has(name),
  )
}
