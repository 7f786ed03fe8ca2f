import { Button, Checkbox, Group, Modal, NumberInput, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { JobDetail } from '../../../lib/api/api-schema.generated.ts'
import { formatAmount } from '../../../lib/format.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { MomentInput } from '../../../ui/forms/moment-input.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { type Priority, priorityOptions } from '../job-priority.tsx'
import type { PrinterOption } from './job-dialogs.tsx'

/** What is to be printed, with what is known of it as the first choice. */
export interface PrintRequest {
  file: { id: string; name: string }
  units?: number
  perPlate?: number
  printerId?: string | null
  filamentType?: string
  color?: string
  anyColor?: boolean
  priority?: Priority
}

interface FormValues {
  number_of_units: number
  quantity_per_print: number
  printer_id: string | null
  filament_type: string
  color: string
  any_color: boolean
  priority: Priority
  due_date: string | null
}

interface PrintDialogProps {
  request: PrintRequest
  printers: readonly PrinterOption[]
  onClose: () => void
  onQueued: (job: JobDetail) => void
}

/** Queues a job for a print file. */
export function PrintDialog({ request, printers, onClose, onQueued }: PrintDialogProps) {
  const { file } = request
  const queryClient = useQueryClient()
  const form = useForm<FormValues>({
    initialValues: {
      number_of_units: request.units ?? request.perPlate ?? 1,
      quantity_per_print: request.perPlate ?? 1,
      printer_id: request.printerId ?? null,
      filament_type: request.filamentType ?? '',
      color: request.color ?? '',
      any_color: request.anyColor ?? true,
      priority: request.priority ?? 'normal',
      due_date: null,
    },
  })
  const save = useMutation({
    mutationFn: ({ printer_id, due_date, filament_type, color, any_color, ...rest }: typeof form.values) =>
      api.call('POST /jobs', {
        body: {
          print_file_id: file.id,
          ...rest,
          ...(printer_id !== null && { printer_id }),
          ...(due_date !== null && { due_date }),
          ...(filament_type.trim() !== '' && { filament_type: filament_type.trim() }),
          ...(color.trim() === '' ? {} : { color: color.trim(), any_color }),
        },
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['jobs'] }),
  })
  const { submit, problem } = useFormSubmit({ form, mutation: save, body: (values) => values, onDone: onQueued })
  const { number_of_units, quantity_per_print, color } = form.values
  const plates = Math.ceil(Number(number_of_units) / Number(quantity_per_print))
  return (
    <Modal opened onClose={onClose} title={`Print ${file.name}`} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NumberInput
              label="Units"
              description="How many pieces are needed"
              min={1}
              max={1_000_000}
              allowDecimal={false}
              required
              data-autofocus
              {...form.getInputProps('number_of_units')}
            />
            <NumberInput
              label="Units per plate"
              description="How many one print yields"
              min={1}
              max={100_000}
              allowDecimal={false}
              required
              {...form.getInputProps('quantity_per_print')}
            />
            <Select
              label="Printer"
              placeholder="Any printer that fits"
              data={[...printers]}
              searchable
              clearable
              nothingFoundMessage="No printer of this name"
              {...form.getInputProps('printer_id')}
            />
            <Select
              label="Priority"
              data={[...priorityOptions]}
              allowDeselect={false}
              {...form.getInputProps('priority')}
            />
            <TextInput label="Filament" placeholder="As the file says" {...form.getInputProps('filament_type')} />
            <TextInput label="Colour" placeholder="Any" {...form.getInputProps('color')} />
            <MomentInput label="Due" {...form.getInputProps('due_date')} />
          </SimpleGrid>
          {color.trim() !== '' && (
            <Checkbox label="Another colour will do, too" {...form.getInputProps('any_color', { type: 'checkbox' })} />
          )}
          <Group justify="space-between">
            <Text size="sm" c="dimmed" aria-live="polite">
              {Number.isFinite(plates) && plates > 0 ? formatAmount(plates, 'plate') : ''}
            </Text>
            <Button type="submit" loading={save.isPending}>
              Add to the queue
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
