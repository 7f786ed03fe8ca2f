import { type Config, settings } from '../../kernel/config.ts'
import { quotaNames, quotas } from '../../kernel/quotas.ts'

/**
 * The settings whose values are shown to strangers: numbers and choices. Of every other one, and of one that is added later, only
 * whether it is set.
 */
const shown = [
  'port',
  'rateLimitPerMinute',
  'maxFileMb',
  'eventsKeptDays',
  'printerTimeKeptDays',
  'failurePicturesKeptDays',
  'upgradeSnapshots',
  'smtpPlainText',
  'logLevel',
  'logFileMb',
  'logFiles',
  'postgresUid',
] as const satisfies (keyof typeof settings)[]

/** Settings of a hub on this machine whose values are numbers, or on or off. */
const shownOfHub = [
  'PRINTYARD_HUB_VIRTUAL',
  'PRINTYARD_HUB_SPEED',
  'PRINTYARD_HUB_CACHE_MB',
  'PRINTYARD_HUB_DISCOVERY',
  'PRINTYARD_HUB_PUBLIC_ADDRESSES',
  'PRINTYARD_HUB_PLAIN_TEXT',
  'PRINTYARD_HUB_LOG_FILE_MB',
  'PRINTYARD_HUB_LOG_FILES',
] as const
const namedOfHub = [
  'PRINTYARD_HUB_URL',
  'PRINTYARD_HUB_TOKEN',
  'PRINTYARD_HUB_TOKEN_FILE',
  'PRINTYARD_HUB_DATA_DIR',
  'PRINTYARD_HUB_LOG_FILE',
] as const

interface ShownSettings {
  values: Record<string, string | number | null>
  /** Names of settings that are set to something, where the value is left out. */
  set: string[]
  not_set: string[]
  /** Names that begin with PRINTYARD_ and mean nothing; a name that someone made up could tell something. */
  unknown: number
}

/** The settings of a support bundle. `config` is undefined where they cannot be used: then only names are shown. */
export function showSettings(
  config: Config | undefined,
  environment: NodeJS.ProcessEnv,
  unknown: readonly string[],
): ShownSettings {
  const values: Record<string, string | number | null> = {}
  const isSet = (variable: string) => Boolean(environment[variable] || environment[`${variable}_FILE`])
  if (config !== undefined) {
    for (const name of shown) values[settings[name].variable] = config[name] ?? null
    for (const name of quotaNames) values[quotas[name].variable] = config.quotas[name]
  }
  for (const variable of shownOfHub) {
    const text = environment[variable] ?? ''
    if (/^(?:\d{1,9}(?:\.\d{1,3})?|on|off)$/.test(text)) values[variable] = text
  }
  const variables = [...Object.values(settings).map(({ variable }) => variable), ...shownOfHub, ...namedOfHub]
  const others = variables.filter((variable) => !Object.hasOwn(values, variable)).sort()
  return {
    values,
    set: others.filter(isSet),
    not_set: others.filter((variable) => !isSet(variable)),
    unknown: unknown.length,
  }
}
