import { Button, SegmentedControl, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { AutomationRun } from '../../../lib/api/api-schema.generated.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { Time } from '../../../ui/time.tsx'
import { automationRunListQuery } from './automation.api.ts'
import { outcomeWords, runState, stepWords } from './automation-words.ts'
import { type RunOutcome, runOutcomes } from './run-outcomes.ts'

const columns: Column<AutomationRun>[] = [
  {
    key: 'what',
    label: t('Trigger'),
    isTitle: true,
    cell: ({ title, path }) => (
      <LinkText to={path} inherit>
        {serviceSentence(title)}
      </LinkText>
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
    label: t('Actions taken'),
    isWideOnly: true,
    cell: ({ steps }) => (
      <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
        {steps.map(stepWords).join('\n')}
      </Text>
    ),
  },
  { key: 'at', label: t('At'), cell: ({ created_at }) => <Time at={created_at} /> },
]

interface RunsPanelProps {
  /** Undefined: all. */
  outcome: RunOutcome | undefined
  onOutcome: (outcome: RunOutcome | undefined) => void
}

/** What rules did, and what came of it. */
export function RunsPanel({ outcome, onOutcome }: RunsPanelProps) {
  const list = useInfiniteQuery(automationRunListQuery(outcome === undefined ? {} : { outcome }))
  return (
    <Panel
      title={t('Actions taken')}
      actions={
        <SegmentedControl
          aria-label={t('Outcome')}
          size="xs"
          value={outcome ?? 'all'}
          onChange={(next) => onOutcome(runOutcomes.find((each) => each === next))}
          data={(['all', ...runOutcomes] as const).map((value) => ({
            value,
            label: value === 'all' ? t('All') : outcomeWords[value],
          }))}
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
                title={outcome === undefined ? t('No actions yet') : t('No runs with this outcome')}
                action={
                  outcome !== undefined && (
                    <Button variant="default" onClick={() => onOutcome(undefined)}>
                      {t('Show all')}
                    </Button>
                  )
                }
              >
                {t('Runs of rules are listed here for 30 days.')}
              </EmptyState>
            )
          }
          return (
            <DataTable
              label={t('Actions taken')}
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
