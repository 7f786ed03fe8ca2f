import { owns, type PageControls, reads, seldom } from './control.ts'

/** Appearance and language, above every page of visitors. */
const appearance = reads(/^Appearance: /, 'Deutsch')

const signIn = [...appearance, ...reads('Email', 'Password', 'Show the password', 'Sign in')]

/** Pages that are shown to who is not signed in. */
export const visitorControls: PageControls = {
  '/sign-in': [{ controls: signIn }],
  '/join': [{ controls: appearance }],
  '/proven': [{ controls: appearance }],
  // Who is not signed in does so first.
  '/second-factor': [{ controls: signIn }],
  '/setup': [
    {
      controls: [
        ...appearance,
        ...reads(
          'Set-up code',
          'Name of the farm',
          'Your name',
          'Email',
          'Password',
          'Show the password',
          'Time zone',
          'Begin',
        ),
      ],
    },
  ],
  '/forgot': [{ controls: [...appearance, ...reads('Email', 'Send a link')] }],
  '/reset-password': [
    {
      at: '/reset-password#$resetToken',
      controls: [...appearance, ...reads('New password', 'Show the password', 'Set password')],
    },
  ],
  '/take': [
    {
      controls: [...appearance, seldom(owns('I take it', 'POST /task-links/look', 'POST /task-links/take'))],
    },
  ],
  '/invitation': [
    {
      at: '/invitation#$invitationToken',
      controls: [...appearance, ...reads('Email', 'Your name', 'Password', 'Show the password', /^Join /)],
    },
  ],
}
