import { Button } from '@mantine/core'
import { t } from '../../lib/i18n/t.ts'
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
        title: t('Sign out everywhere?'),
        body: t('All your sessions end at once, this one too.'),
        confirmLabel: t('Sign out everywhere'),
        isDangerous: true,
      },
      call: () => signOut.mutateAsync(),
      done: t('You are signed out everywhere'),
      failed: t('You could not be signed out'),
    })
  return (
    <Button variant="default" loading={busyId === 'all'} onClick={() => void ask()}>
      {t('Sign out everywhere')}
    </Button>
  )
}
