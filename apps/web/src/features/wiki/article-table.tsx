import { Text } from '@mantine/core'
import type { WikiArticleSummary } from '../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../lib/api/paged-query.ts'
import { formatMinutes } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { Time } from '../../ui/time.tsx'

const columns: Column<WikiArticleSummary>[] = [
  {
    key: 'title',
    label: t('Article'),
    isTitle: true,
    cell: ({ id, title, excerpt }) => (
      <div>
        <LinkText to="/wiki/$articleId" params={{ articleId: id }} fw={600}>
          {title}
        </LinkText>
        {excerpt !== '' && (
          <Text size="sm" c="dimmed" fw={400}>
            {excerpt}
          </Text>
        )}
      </div>
    ),
  },
  {
    key: 'category',
    label: t('Category'),
    cell: ({ category }) =>
      category === '' ? (
        '–'
      ) : (
        <LinkText to="/wiki" search={{ category }} inherit>
          {category}
        </LinkText>
      ),
  },
  {
    key: 'minutes',
    label: t('Takes'),
    align: 'right',
    cell: ({ estimated_time_minutes: minutes }) => (minutes === null ? '–' : formatMinutes(minutes)),
  },
  {
    key: 'state',
    label: t('State'),
    cell: ({ is_published }) => (
      <StatusBadge tone={is_published ? 'done' : 'resting'}>{is_published ? t('Published') : t('Draft')}</StatusBadge>
    ),
  },
  { key: 'at', label: t('Changed'), cell: ({ updated_at }) => <Time at={updated_at} /> },
]

export function ArticleTable({ articles, ...more }: MorePages & { articles: readonly WikiArticleSummary[] }) {
  return <DataTable label={t('Articles')} columns={columns} rows={articles} rowKey={({ id }) => id} {...more} />
}
