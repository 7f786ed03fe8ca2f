/** Severities, as tasks have them. */
export const severities = ['low', 'medium', 'high'] as const
export type Severity = (typeof severities)[number]

export function isAtLeastAsSevere(one: Severity, other: Severity): boolean {
  return severities.indexOf(one) >= severities.indexOf(other)
}

/** A picture that goes with a message. */
export interface Picture {
  bytes: Buffer
  type: 'image/jpeg'
  name: string
}

/** What a channel is asked to show. None of it is a secret, or about a customer. */
export interface Message {
  /** The same at every attempt. */
  id: string
  kind: string
  severity: Severity
  title: string
  body: string
  /** What it is about; a later message about the same may take its place. */
  subject: string
  /** The page of the dashboard about it, from the root: `/printers/prn_…`. */
  path: string
  /** The page by which the reader takes the task, from the root; undefined when there is no task, or no one reader. */
  takePath: string | undefined
  /** Address at which the service is reached, without a slash at the end; undefined when it was not told. */
  publicUrl: string | undefined
  picture: Picture | undefined
  /** Time of this attempt. */
  at: Date
}

/** A link that works wherever the message is read; undefined when the service does not know its own address. */
export function openUrl({ publicUrl, path }: Pick<Message, 'publicUrl' | 'path'>): string | undefined {
  return publicUrl === undefined ? undefined : `${publicUrl}${path}`
}

/** The same for taking the task. */
export function takeUrl({ publicUrl, takePath }: Pick<Message, 'publicUrl' | 'takePath'>): string | undefined {
  return publicUrl === undefined || takePath === undefined ? undefined : `${publicUrl}${takePath}`
}

/** What the button that takes the task says. */
export const takeLabel = 'I take it'
export const openLabel = 'Open'

/** Text of a message for channels that take one text: the title, then the body if there is one. */
export function plainText({ title, body }: Pick<Message, 'title' | 'body'>): string {
  return body === '' ? title : `${title}\n${body}`
}

/** A text of at most so many characters, with an ellipsis where it was cut. */
export function cut(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
