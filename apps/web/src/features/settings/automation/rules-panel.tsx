import { Button, Menu, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AutomationRule } from '../../../lib/api/api-schema.generated.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { RowMenu } from '../../../ui/lists/row-menu.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { automationRuleListQuery, useRemoveAutomationRule, useSetMode } from './automation.api.ts'
import { actionWords, modeState, whenWords } from './automation-words.ts'
import { AutomationRuleDialog, type RuleChoices } from './rule-form.tsx'

const columns: Column<AutomationRule>[] = [
  { key: 'name', label: t('Rule'), isTitle: true, cell: ({ name }) => name },
  { key: 'when', label: t('When'), cell: whenWords },
  { key: 'then', label: t('Then'), cell: ({ actions }) => actions.map((action) => actionWords[action.do]).join(', ') },
  {
    key: 'state',
    label: t('State'),
    cell: ({ mode }) => <StatusBadge tone={modeState(mode).tone}>{modeState(mode).word}</StatusBadge>,
  },
]

/** What the farm does by itself. */
export function AutomationRulesPanel({ choices }: { choices: RuleChoices }) {
  const list = useInfiniteQuery(automationRuleListQuery())
  const [edited, setEdited] = useState<AutomationRule | 'new'>()
  const actions: Column<AutomationRule> = {
    key: 'actions',
    label: t('Actions'),
    align: 'right',
    cell: (rule) => <RuleActions rule={rule} onChange={() => setEdited(rule)} />,
  }
  return (
    <Panel
      title={t('Rules')}
      actions={
        <Button
          data-adds
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setEdited('new')}
        >
          {t('Add a rule')}
        </Button>
      }
    >
      <QueryView query={list} failed={t('The rules could not be read')}>
        {(data) => {
          const rules = rowsOf(data) ?? []
          if (rules.length === 0) {
            return (
              <EmptyState icon="automation" title={t('No rule yet')}>
                <Text inherit>
                  {t(
                    'For example: when a print fails three times on one printer within a day, take the printer out of service and send a message. A new rule can run on trial first: it records its actions without carrying them out.',
                  )}
                </Text>
              </EmptyState>
            )
          }
          return (
            <DataTable
              label={t('Rules')}
              columns={[...columns, actions]}
              rows={rules}
              rowKey={({ id }) => id}
              {...morePages(list)}
            />
          )
        }}
      </QueryView>
      {edited !== undefined && (
        <AutomationRuleDialog
          {...(edited !== 'new' && { rule: edited })}
          choices={choices}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Panel>
  )
}

const modes = [
  { mode: 'on', label: t('Turn on'), done: t('is on') },
  { mode: 'trial', label: t('Try it'), done: t('is on trial') },
  { mode: 'off', label: t('Turn off'), done: t('is off') },
] as const

function RuleActions({ rule, onChange }: { rule: AutomationRule; onChange: () => void }) {
  const { id, name } = rule
  const { perform } = useActions()
  const turn = useSetMode(id)
  const remove = useRemoveAutomationRule()
  return (
    <RowMenu label={t('More about the rule {name}', { name })}>
      <Menu.Item onClick={onChange}>{t('Change…')}</Menu.Item>
      {modes
        .filter(({ mode }) => mode !== rule.mode)
        .map(({ mode, label, done }) => (
          <Menu.Item
            key={mode}
            onClick={() =>
              void perform({
                id,
                call: () => turn.mutateAsync(mode),
                done: t('The rule {name} {done}', { name, done }),
                failed: t('The rule {name} could not be changed', { name }),
              })
            }
          >
            {label}
          </Menu.Item>
        ))}
      <Menu.Item
        color="red"
        onClick={() =>
          void perform({
            id,
            question: {
              title: t('Delete the rule {name}?', { name }),
              body: t('It takes no more actions. Its past actions stay in the log.'),
              confirmLabel: t('Delete the rule'),
              isDangerous: true,
            },
            call: () => remove.mutateAsync(id),
            done: t('The rule {name} is deleted', { name }),
            failed: t('The rule {name} could not be deleted', { name }),
          })
        }
      >
        {t('Delete…')}
      </Menu.Item>
    </RowMenu>
  )
}
