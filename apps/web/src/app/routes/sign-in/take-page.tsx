import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { readLinkToken } from '../../../features/session/link-token.ts'
import { offeredTaskQuery, useTakeTask } from '../../../features/settings/notifications/notifications.api.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { LinkText } from '../../../ui/link-text.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

/** Where "I take it" of a notification leads. Nothing is taken before the button is pressed. */
export function TakePage() {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  // Kept while the page is open, whatever becomes of the address.
  const [token] = useState(() => readLinkToken(hash))
  return (
    <>
      <PageHeader title={t('Take this task?')} />
      {token === undefined ? (
        <EmptyState icon="worklist" title={t('This link is not complete')}>
          {t('Open it from the message again.')}
        </EmptyState>
      ) : (
        <Offered token={token} />
      )}
      <LinkText to="/worklist" size="sm" mt="md" display="inline-block">
        {t('Open the worklist')}
      </LinkText>
    </>
  )
}

function Offered({ token }: { token: string }) {
  const offered = useQuery(offeredTaskQuery(token))
  const take = useTakeTask(token)
  return (
    <QueryView query={offered} failed={t('This link takes no task any more')}>
      {({ title, person_name: person }) => (
        <Stack>
          <Text fw={600}>{title}</Text>
          {take.isSuccess ? (
            <Text role="status">{t('It is yours now, {person}.', { person })}</Text>
          ) : (
            <>
              <FormProblem problem={take.error ?? undefined} />
              <Button onClick={() => take.mutate()} loading={take.isPending}>
                {t('I take it')}
              </Button>
            </>
          )}
        </Stack>
      )}
    </QueryView>
  )
}
