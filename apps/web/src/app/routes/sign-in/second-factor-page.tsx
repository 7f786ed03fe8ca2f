import { Button, Group, Stack } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ProofDialog } from '../../../features/session/proof-dialog.tsx'
import { useSignOut } from '../../../features/session/session.api.ts'
import { useAskedProof } from '../../../features/session/session-questions.ts'
import { Passkeys } from '../../../features/settings/profile/passkeys.tsx'
import { SecondFactor } from '../../../features/settings/profile/second-factor.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useSession } from '../../../lib/session.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'

/** Where a member of an account that asks for a second factor adds one before anything else. */
export function SecondFactorPage() {
  const { user, account, must_add_factor } = useSession()
  const signOut = useSignOut()
  const asked = useAskedProof()
  const navigate = useNavigate()
  return (
    <>
      <PageHeader
        title={t('Add a second factor')}
        description={t('{name} asks everybody who signs in by a password for an app or a passkey.', {
          name: account.name,
        })}
      />
      <ProofDialog asked={asked} />
      <Stack>
        <Panel title={t('Authenticator app')}>
          <SecondFactor user={user} />
        </Panel>
        <Panel title={t('Passkeys')}>
          <Passkeys />
        </Panel>
        <Group>
          <Button disabled={must_add_factor} onClick={() => void navigate({ to: '/' })}>
            {t('Go on')}
          </Button>
          <Button variant="subtle" loading={signOut.isPending} onClick={() => signOut.mutate()}>
            {t('Sign out')}
          </Button>
        </Group>
      </Stack>
    </>
  )
}
