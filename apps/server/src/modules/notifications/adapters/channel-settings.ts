import type { SecretBox } from '../../../kernel/secret-box.ts'
import type { ChannelSettings } from './adapter.ts'

export function sealSettings(box: Pick<SecretBox, 'seal'>, channelId: string, settings: ChannelSettings): Buffer {
  return box.seal(settings, channelId)
}

/** @throws Error when no key of the service opens them */
export function openSettings(box: Pick<SecretBox, 'open'>, channelId: string, sealed: Buffer): ChannelSettings {
  // Sealed by `sealSettings` alone, for this channel: the tag tells.
  return box.open(sealed, channelId) as ChannelSettings
}

/** Texts shorter than this are no secret, and would be cut out of words. */
const shortestSecret = 6

/** Answers what the other side said, without what was entered for the channel. */
export function redact(text: string | null, settings: ChannelSettings): string | null {
  if (text === null) return null
  const secrets = Object.values(settings).filter((value) => value.length >= shortestSecret)
  return secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text)
}
