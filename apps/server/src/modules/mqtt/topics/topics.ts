import type { AccountId, PrinterId } from '../../../kernel/ids.ts'

/** Topics below which an account publishes at its broker. */
export interface TopicSettings {
  account_id: AccountId
  /** Topic above all states and commands: `printyard`. */
  base_topic: string
  /** Topic below which Home Assistant looks for what there is: `homeassistant`. */
  discovery_prefix: string
}

/** Holds `online`, or `offline` by the last will of the connection. */
export const serviceStatusTopic = ({ base_topic: base }: TopicSettings) => `${base}/status`

export const farmStateTopic = ({ base_topic: base }: TopicSettings) => `${base}/farm`

export const printerStateTopic = ({ base_topic: base }: TopicSettings, id: PrinterId) => `${base}/printers/${id}`

export const printerCommandTopic = ({ base_topic: base }: TopicSettings, id: PrinterId | '+') =>
  `${base}/printers/${id}/command`

/** Outcome of the last command. */
export const commandResultTopic = ({ base_topic: base }: TopicSettings, id: PrinterId) =>
  `${base}/printers/${id}/command_result`

export const discoveryTopic = ({ discovery_prefix: prefix }: TopicSettings, object: string) =>
  `${prefix}/device/${object}/config`

/** Topic in which Home Assistant says that it has started. */
export const birthTopic = ({ discovery_prefix: prefix }: TopicSettings) => `${prefix}/status`

/** The printer that a command topic names; undefined for any other topic. */
export function printerOfCommand(settings: TopicSettings, topic: string): string | undefined {
  const [before, after] = printerCommandTopic(settings, '+').split('+') as [string, string]
  if (!topic.startsWith(before) || !topic.endsWith(after)) return undefined
  const id = topic.slice(before.length, topic.length - after.length)
  return id === '' || id.includes('/') ? undefined : id
}

/** Answers why a text is no topic that can be published to; undefined when it is one. */
export function findTopicProblem(topic: string): string | undefined {
  if (topic === '' || topic !== topic.trim()) return 'must not be empty, or begin or end with a space'
  if (/[+#]/.test(topic)) return 'must not contain + or #'
  if (/\p{C}/u.test(topic)) return 'must not contain characters that cannot be printed'
  if (topic.startsWith('$')) return 'must not begin with $'
  if (topic.startsWith('/') || topic.endsWith('/') || topic.includes('//')) return 'must not have an empty level'
  return undefined
}
