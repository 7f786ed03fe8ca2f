import { Text } from '@mantine/core'
import type { Hub, ListedHub } from '../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { ThingLink } from '../../ui/thing-link.tsx'
import { Time } from '../../ui/time.tsx'
import { presentHub } from './hub-state.ts'

const columns: Column<ListedHub>[] = [
  {
    key: 'name',
    label: t('Hub'),
    isTitle: true,
    cell: ({ id, name }) => (
      <LinkText to="/hubs/$hubId" params={{ hubId: id }}>
        {name}
      </LinkText>
    ),
  },
  { key: 'state', label: t('State'), cell: (hub) => <HubBadge hub={hub} /> },
  {
    key: 'problems',
    label: t('Problems'),
    cell: ({ health }) =>
      health.length === 0 ? (
        <Text span inherit c="dimmed">
          {t('none')}
        </Text>
      ) : (
        <StatusBadge tone="trouble">
          {t('{health, plural, one {# problem} other {# problems}}', { health: health.length })}
        </StatusBadge>
      ),
  },
  {
    key: 'printers',
    label: t('Printers'),
    align: 'right',
    cell: ({ id, printer_count }) => <ThingLink id={id}>{formatCount(printer_count)}</ThingLink>,
  },
  { key: 'version', label: t('Version'), isWideOnly: true, cell: ({ firmware_version }) => firmware_version || '–' },
  { key: 'seen', label: t('Last seen'), cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
]

export function HubBadge({ hub }: { hub: Hub }) {
  const { tone, word } = presentHub(hub)
  return <StatusBadge tone={tone}>{word}</StatusBadge>
}

interface HubTableProps {
  hubs: readonly ListedHub[]
  onMore: (() => void) | undefined
  isLoadingMore: boolean
}

export function HubTable({ hubs, onMore, isLoadingMore }: HubTableProps) {
  return (
    <DataTable
      label={t('Hubs')}
      columns={columns}
      rows={hubs}
      rowKey={({ id }) => id}
      onMore={onMore}
      isLoadingMore={isLoadingMore}
    />
  )
}
