import { Anchor, SegmentedControl, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AutomationRun } from '../../../lib/api/api-schema.generated.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { Time } from '../../../ui/time.tsx'
import { automationRunListQuery } from './automation.api.ts'
import { outcomeWords, runState, stepWords } from './automation-words.ts'

const outcomes = ['all', 'ran', 'trial', 'counted', 'held'] as const
type Shown = (typeof outcomes)[number]

const columns: Column<AutomationRun>[] = [
  {
    key: 'what',
    label: t('What happened'),
    isTitle: true,
    cell: ({ title, path }) => (
      <Anchor renderRoot={(props) => <Link to={path} {...props} />} inherit>
        {serviceSentence(title)}
      </Anchor>
    ),
  },
  { key: 'rule', label: t('Rule'), cell: ({ rule_name: name }) => name ?? t('deleted') },
  {
    key: 'outcome',
    label: t('Outcome'),
    cell: (run) => <StatusBadge tone={runState(run).tone}>{runState(run).word}</StatusBadge>,
  },
  {
    key: 'steps',
    label: t('What was done'),
    isWideOnly: true,
    cell: ({ steps }) => (
      <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
        {steps.map(stepWords).join('\n')}
      </Text>
    ),
  },
  { key: 'at', label: t('At'), cell: ({ created_at }) => <Time at={created_at} /> },
]

/** What rules did, and what came of it. */
export function RunsPanel() {
  const [shown, setShown] = useState<Shown>('all')
  const list = useInfiniteQuery(automationRunListQuery(shown === 'all' ? {} : { outcome: shown }))
  return (
    <Panel
      title={t('What was done')}
      actions={
        <SegmentedControl
          aria-label={t('Outcome')}
          size="xs"
          value={shown}
          onChange={(next) => setShown(outcomes.find((each) => each === next) ?? 'all')}
          data={outcomes.map((value) => ({ value, label: value === 'all' ? t('All') : outcomeWords[value] }))}
        />
      }
    >
      <QueryView query={list} failed={t('The log could not be read')}>
        {(data) => {
          const rows = rowsOf(data) ?? []
          if (rows.length === 0) {
            return (
              <EmptyState
                icon="history"
                title={shown === 'all' ? t('Nothing was done yet') : t('None of this outcome')}
              >
                {t('What rules did stands here for 30 days.')}
              </EmptyState>
            )
          }
          return (
            <DataTable
              label={t('What was done')}
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              {...morePages(list)}
            />
          )
        }}
      </QueryView>
    </Panel>
  )
}
