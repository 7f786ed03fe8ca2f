import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { providerQuery } from '../../../features/session/session.api.ts'
import { NameForm } from '../../../features/settings/profile/name-form.tsx'
import { Passkeys } from '../../../features/settings/profile/passkeys.tsx'
import { PasswordForm } from '../../../features/settings/profile/password-form.tsx'
import { SecondFactor } from '../../../features/settings/profile/second-factor.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { roleSentences, roleWords } from '../../../lib/roles.ts'
import { useSession } from '../../../lib/session.ts'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'

export function ProfilePage() {
  const { user, role, account } = useSession()
  const { data: provider } = useQuery(providerQuery)
  return (
    <>
      <PageHeader
        title={t('Profile')}
        description={t('You are {role} of {name}.', { role: roleWords[role], name: account.name })}
      />
      <Stack>
        <Panel title={t('Personal details')}>
          <NameForm user={user} />
          <Text size="sm" c="dimmed" mt="sm">
            {t('Your role here is {role}. {roleSentences}.', {
              role: roleWords[role],
              roleSentences: roleSentences[role],
            })}
          </Text>
        </Panel>
        <Panel title={t('Password')}>
          <PasswordForm user={user} mayHaveNone={provider?.configured ?? false} />
        </Panel>
        <Panel title={t('Second factor')}>
          <SecondFactor user={user} />
        </Panel>
        <Panel title={t('Passkeys')}>
          <Passkeys />
        </Panel>
      </Stack>
    </>
  )
}
