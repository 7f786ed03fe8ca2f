import type { Mail } from './send-mail.ts'

/** The mail that invites somebody to an account. */
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

/** The mail by which somebody sets a new password. */
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
