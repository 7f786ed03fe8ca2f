import type { Mail } from './send-mail.ts'

/** The mail that invites a person to an account. */
export function invitationMail(to: string, accountName: string, url: string): Mail {
  return {
    to,
    subject: `You are invited to ${accountName} on Printyard`,
    text: [
      `You are invited to work with ${accountName} on Printyard.`,
      '',
      'Accept within seven days:',
      url,
      '',
      'If you do not know what this is about, ignore this mail: nothing happens then.',
      '',
    ].join('\n'),
  }
}

/** The mail by which a person sets a new password. */
export function resetMail(to: string, url: string): Mail {
  return {
    to,
    subject: 'Set a new password for Printyard',
    text: [
      'A new password was requested for your account on Printyard.',
      '',
      'Set it within one hour:',
      url,
      '',
      'If it was not you, ignore this mail: your password stays as it is.',
      '',
    ].join('\n'),
  }
}

/** Something that changed how a person signs in. */
export type SecurityChange =
  | 'password_changed'
  | 'password_reset'
  | 'app_added'
  | 'app_removed'
  | 'backup_codes_renewed'
  | 'passkey_added'
  | 'passkey_removed'

const changes: Record<SecurityChange, { subject: string; sentence: string }> = {
  password_changed: { subject: 'Your password was changed', sentence: 'Your password on Printyard was changed.' },
  password_reset: { subject: 'Your password was set', sentence: 'Your password on Printyard was set by a link.' },
  app_added: {
    subject: 'An authenticator app was added',
    sentence: 'An authenticator app was added: from now on signing in to Printyard takes a code.',
  },
  app_removed: {
    subject: 'Your authenticator app was removed',
    sentence: 'Your authenticator app was removed: signing in to Printyard takes no code of it any more.',
  },
  backup_codes_renewed: {
    subject: 'New backup codes were made',
    sentence: 'New backup codes were made for you on Printyard. The earlier ones no longer work.',
  },
  passkey_added: { subject: 'A passkey was added', sentence: 'A passkey was added by which you sign in to Printyard.' },
  passkey_removed: {
    subject: 'A passkey was removed',
    sentence: 'A passkey by which you signed in to Printyard was removed.',
  },
}

const ifNotYou = [
  'If it was not you, set a new password, sign out everywhere (Settings, Sessions), and tell an owner of your account.',
  '',
]

/** The mail that tells a person what changed of how they sign in. */
export function securityMail(to: string, change: SecurityChange, at: Date): Mail {
  const { subject, sentence } = changes[change]
  return { to, subject, text: [sentence, `Time: ${at.toISOString()}`, '', ...ifNotYou].join('\n') }
}

/** The mail that tells a person of a sign-in by a browser that they have not used before. */
export function newDeviceMail(to: string, device: { ip: string; userAgent: string; at: Date }): Mail {
  return {
    to,
    subject: 'New sign-in to Printyard',
    text: [
      'You signed in to Printyard by a browser that was not used before.',
      `Time: ${device.at.toISOString()}`,
      `Address: ${device.ip}`,
      `Browser: ${device.userAgent === '' ? 'unknown' : device.userAgent}`,
      '',
      ...ifNotYou,
    ].join('\n'),
  }
}

/** A webhook that was paused by rule, as far as a mail may tell: paths of URLs are often secret. */
interface PausedWebhook {
  host: string
  description: string
  reason: 'failing' | 'gone'
  since: Date | null
}

/** The mail that tells those who run an account that a receiver of events takes nothing any more. */
export function webhookPausedMail(to: string, { host, description, reason, since }: PausedWebhook): Mail {
  return {
    to,
    subject: `A webhook was paused: ${host}`,
    text: [
      `The webhook to ${host}${description === '' ? '' : ` (${description})`} was paused.`,
      reason === 'gone'
        ? 'Its receiver answered that it is gone (410).'
        : `Nothing was accepted since ${since?.toISOString() ?? 'three days'}.`,
      '',
      'Events that wait for it are kept. When the receiver works again, resume the webhook (Settings, Webhooks), and have what',
      'happened meanwhile redelivered.',
      '',
    ].join('\n'),
  }
}

/** The mail that tells those who run an account that a channel of notifications takes nothing any more. */
export function channelPausedMail(to: string, { name, reason }: { name: string; reason: 'failing' | 'gone' }): Mail {
  return {
    to,
    subject: `A channel of notifications was paused: ${name.replaceAll(/\s+/g, ' ')}`,
    text: [
      `Nothing is sent to the channel ${name} any more.`,
      reason === 'gone'
        ? 'The service at the other end answered that it is gone.'
        : 'Nothing was accepted for three days.',
      '',
      'When it works again, test and resume it (Settings, Notifications).',
      '',
    ].join('\n'),
  }
}
