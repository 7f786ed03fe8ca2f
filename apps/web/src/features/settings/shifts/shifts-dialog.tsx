import { ActionIcon, Button, Checkbox, Fieldset, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ShiftsOfMember } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { Icon } from '../../../ui/icon.tsx'
import { weekdays } from '../account/scheduler-texts.ts'
import { linesOf, type ShiftLine, shiftsOf } from './shift-lines.ts'
import { useSetShifts } from './shifts.api.ts'

const fresh: ShiftLine = { days: [], from: '06:00', to: '14:00' }

interface ShiftsDialogProps {
  member: ShiftsOfMember
  name: string
  onClose: () => void
}

/** The week of a member: times, and the days on which they are. */
export function ShiftsDialog({ member, name, onClose }: ShiftsDialogProps) {
  const form = useForm<{ lines: ShiftLine[] }>({
    mode: 'controlled',
    initialValues: { lines: member.shifts.length === 0 ? [fresh] : linesOf(member.shifts) },
    validate: { lines: { days: (days) => (days.length === 0 ? t('Choose at least one day') : null) } },
  })
  const save = useSetShifts(member.member_id)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: ({ lines }) => ({ shifts: shiftsOf(lines) }),
    done: () => t('The shifts of {name} are saved', { name }),
    onDone: onClose,
  })
  const { lines } = form.values
  return (
    <Modal opened onClose={onClose} title={t('Shifts of {name}', { name })} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Text size="sm">
            {t('By the clock of the account. A shift that ends no later than it begins ends on the next day.')}
          </Text>
          {lines.map((_, index) => (
            // Lines have no name of their own; none moves.
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <Fieldset key={index} legend={t('Times {number}', { number: index + 1 })}>
              <Stack gap="xs">
                <Checkbox.Group label={t('Days')} {...form.getInputProps(`lines.${index}.days`)}>
                  <Group gap="sm" mt="xs">
                    {weekdays.map(({ value, label }) => (
                      <Checkbox key={value} value={value} label={label} />
                    ))}
                  </Group>
                </Checkbox.Group>
                <Group align="end" gap="sm">
                  <TextInput label={t('From')} type="time" required {...form.getInputProps(`lines.${index}.from`)} />
                  <TextInput label={t('Until')} type="time" required {...form.getInputProps(`lines.${index}.to`)} />
                  <ActionIcon
                    variant="default"
                    size="input-sm"
                    aria-label={t('Remove times {number}', { number: index + 1 })}
                    onClick={() => form.removeListItem('lines', index)}
                  >
                    <Icon name="trash" size={18} />
                  </ActionIcon>
                </Group>
              </Stack>
            </Fieldset>
          ))}
          {lines.length === 0 && <Text size="sm">{t('{name} has no shifts.', { name })}</Text>}
          <Group>
            <Button
              variant="default"
              leftSection={<Icon name="plus" size={16} />}
              onClick={() => form.insertListItem('lines', fresh)}
            >
              {t('Add times')}
            </Button>
          </Group>
          <FormButtons label={t('Save')} isBusy={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
