import { Button, Code, Text } from '@mantine/core'
import type { ApiKey } from '../../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { Time, useNowMs } from '../../../ui/time.tsx'
import { useRevokeApiKey } from '../settings.api.ts'
import { keyMaker, keyState } from './key-state.ts'

interface ApiKeyTableProps extends MorePages {
  keys: readonly ApiKey[]
}

export function ApiKeyTable({ keys, ...more }: ApiKeyTableProps) {
  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      label: t('Name'),
      isTitle: true,
      cell: ({ name, prefix, last_four }) => (
        <div>
          {name}
          <div>
            <Code>
              {prefix}…{last_four}
            </Code>
          </div>
        </div>
      ),
    },
    { key: 'state', label: t('State'), cell: (key) => <KeyBadge apiKey={key} /> },
    { key: 'scopes', label: t('May'), cell: ({ scopes }) => scopes.join(', ') },
    { key: 'used', label: t('Last used'), cell: ({ last_used_at }) => <Time at={last_used_at} /> },
    { key: 'ends', label: t('Ends'), cell: ({ expires_at }) => <Time at={expires_at} /> },
    {
      key: 'made',
      label: t('Made'),
      isWideOnly: true,
      cell: (key) => (
        <>
          <Time at={key.created_at} as="clock" />
          <Text size="sm" c="dimmed">
            {keyMaker(key)}
          </Text>
        </>
      ),
    },
    { key: 'revoke', label: '', align: 'right', cell: (key) => <Revoke apiKey={key} /> },
  ]
  return <DataTable label={t('API keys')} columns={columns} rows={keys} rowKey={({ id }) => id} {...more} />
}

function KeyBadge({ apiKey }: { apiKey: ApiKey }) {
  const state = keyState(apiKey, useNowMs())
  if (state === 'revoked') return <StatusBadge tone="away">{t('Revoked')}</StatusBadge>
  if (state === 'ended') return <StatusBadge tone="away">{t('Ended')}</StatusBadge>
  return <StatusBadge tone="done">{t('Works')}</StatusBadge>
}

function Revoke({ apiKey }: { apiKey: ApiKey }) {
  const revoke = useRevokeApiKey()
  const { busyId, perform } = useActions()
  const nowMs = useNowMs()
  if (keyState(apiKey, nowMs) !== 'works') return null
  const { id, name } = apiKey
  const ask = () =>
    perform({
      id,
      question: {
        title: t('Revoke the key {name}?', { name }),
        body: t('Programs that use it are refused from their next request on. This cannot be undone.'),
        confirmLabel: t('Revoke the key'),
        isDangerous: true,
      },
      call: () => revoke.mutateAsync(id),
      done: t('The key {name} is revoked', { name }),
      failed: t('The key {name} could not be revoked', { name }),
    })
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => void ask()}
      loading={busyId === id}
      aria-label={t('Revoke the key {name}', { name })}
    >
      {t('Revoke')}
    </Button>
  )
}
