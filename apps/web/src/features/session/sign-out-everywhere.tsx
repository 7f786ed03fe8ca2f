import { Button } from '@mantine/core'
import { useActions } from '../../ui/dialogs/use-actions.ts'
import { useSignOutEverywhere } from './session.api.ts'

/** Ends all sessions of the person. */
export function SignOutEverywhere() {
  const signOut = useSignOutEverywhere()
  const { busyId, perform } = useActions()
  const ask = () =>
    perform({
      id: 'all',
      question: {
        title: 'Sign out everywhere?',
        body: 'All your sessions end at once, this one too.',
        confirmLabel: 'Sign out everywhere',
        isDangerous: true,
      },
      call: () => signOut.mutateAsync(),
      done: 'You are signed out everywhere',
      failed: 'You could not be signed out',
    })
  return (
    <Button variant="default" loading={busyId === 'all'} onClick={() => void ask()}>
      Sign out everywhere
    </Button>
  )
}
