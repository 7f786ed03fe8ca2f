import { Group, Modal, MultiSelect, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { AutomationRule } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { kindWords, severityWords } from '../notifications/notification-words.ts'
import { type FarmChoices, RuleScopeFields } from '../rule-scope-fields.tsx'
import { ActionFields, type Receivers } from './action-fields.tsx'
import { useSaveAutomationRule } from './automation.api.ts'
import { modeState } from './automation-words.ts'
import { bodyOf, freshRule, type RuleValues, valuesOf } from './rule-values.ts'

/** What a rule can be for, and whom it can tell. */
export interface RuleChoices {
  farm: FarmChoices
  receivers: Receivers
}

interface AutomationRuleDialogProps {
  /** The rule to change; without one a new one is added. */
  rule?: AutomationRule
  choices: RuleChoices
  onClose: () => void
}

const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))
const { test: _test, automation: _automation, ...ruleKinds } = kindWords
const modes = (['on', 'trial', 'off'] as const).map((mode) => ({ value: mode, label: modeState(mode).word }))

export function AutomationRuleDialog({ rule, choices, onClose }: AutomationRuleDialogProps) {
  const initialValues: RuleValues = rule ? valuesOf(rule) : freshRule
  const form = useForm<RuleValues>({ mode: 'controlled', initialValues })
  const save = useSaveAutomationRule(rule?.id)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: bodyOf,
    done: ({ name }) => t('The rule {name} is saved', { name }),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={rule ? t('Change the rule') : t('Add a rule')} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <TextInput label={t('Name')} required maxLength={100} data-autofocus {...form.getInputProps('name')} />
          <Select
            label={t('State')}
            description={t('On trial it records its actions without carrying them out')}
            data={modes}
            allowDeselect={false}
            {...form.getInputProps('mode')}
          />
          <MultiSelect label={t('When')} data={options(ruleKinds)} required {...form.getInputProps('kinds')} />
          <Select
            label={t('At least')}
            data={options(severityWords)}
            allowDeselect={false}
            {...form.getInputProps('least_severity')}
          />
          <RuleScopeFields form={form} choices={choices.farm} />
          <Group grow align="end">
            <NumberInput label={t('Times')} min={1} max={100} allowDecimal={false} {...form.getInputProps('times')} />
            <NumberInput
              label={t('Within minutes')}
              min={1}
              max={10_080}
              allowDecimal={false}
              disabled={Number(form.values.times) <= 1}
              {...form.getInputProps('within_minutes')}
            />
            <NumberInput
              label={t('Most per hour')}
              min={1}
              max={1_000}
              allowDecimal={false}
              {...form.getInputProps('most_per_hour')}
            />
          </Group>
          <ActionFields form={form} receivers={choices.receivers} />
          <FormButtons label={rule ? t('Save') : t('Add the rule')} isBusy={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
