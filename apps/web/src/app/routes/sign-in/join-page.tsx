import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { providerInvitationsQuery, useJoinByProvider } from '../../../features/session/session.api.ts'
import { t } from '../../../lib/i18n/t.ts'
import { roleWords } from '../../../lib/roles.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

/** Asks a person whom the provider has proven, and who is a member of nothing, which farm to join. */
export function JoinPage() {
  const query = useQuery(providerInvitationsQuery)
  const join = useJoinByProvider()
  const navigate = useNavigate()
  return (
    <>
      <PageHeader
        title={t('You are invited')}
        description={t('Join only a farm that you know: others may invite you, too.')}
      />
      <Stack>
        <FormProblem problem={join.error ?? undefined} />
        <QueryView query={query} failed={t('There is no invitation to accept')}>
          {({ email, invitations }) => (
            <>
              {invitations.length === 0 && (
                <EmptyState icon="key" title={t('There is no invitation to accept')}>
                  {t('Sign in again to see what you are invited to.')}
                </EmptyState>
              )}
              {invitations.map(({ id, account_name, role }) => (
                <Panel key={id} title={account_name}>
                  <Text size="sm" mb="sm">
                    {t('{email} is invited as {role}.', { email, role: roleWords[role] })}
                  </Text>
                  <Group>
                    <Button
                      loading={join.isPending && join.variables === id}
                      onClick={() => join.mutate(id, { onSuccess: () => void navigate({ to: '/', replace: true }) })}
                    >
                      {t('Join {account_name}', { account_name })}
                    </Button>
                  </Group>
                </Panel>
              ))}
            </>
          )}
        </QueryView>
        <LinkText to="/sign-in" size="sm">
          {t('Go to sign in')}
        </LinkText>
      </Stack>
    </>
  )
}
