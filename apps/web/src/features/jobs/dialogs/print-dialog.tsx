import { Button, Checkbox, Group, Modal, NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import type { BodyOf } from '../../../lib/api/api-routes.ts'
import type { JobDetail, Recipe, Sku } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { MomentInput } from '../../../ui/forms/moment-input.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { type Priority, priorityOptions } from '../job-priority.tsx'
import { recipesOfFileQuery, skuChoicesQuery } from '../jobs.api.ts'
import type { PrinterOption } from './job-dialogs.tsx'
import { PrintPreview } from './print-preview.tsx'

/** Stands for the choice that a print makes nothing for the stock. */
const noProduct = 'none'

/** What is to be printed, with what is known of it as the first choice. */
export interface PrintRequest {
  file: { id: string; name: string }
  units?: number
  perPlate?: number
  /** What it makes; null: no product. Left out, the recipes of the file are asked. */
  skuId?: string | null
  printerId?: string | null
  filamentType?: string
  color?: string
  anyColor?: boolean
  priority?: Priority
}

interface FormValues {
  /** The ID of a SKU, or `noProduct`. */
  product: string | null
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

/** Queues a job for a print file, once it is known what the file is known to make. */
export function PrintDialog(props: PrintDialogProps) {
  const { file, skuId } = props.request
  const skus = useQuery(skuChoicesQuery())
  const recipes = useQuery(recipesOfFileQuery(file.id))
  // What cannot be read must not keep a file from being printed: then there is no product to choose.
  if (skus.isPending || recipes.isPending) return null
  const known = skus.data ?? []
  const first = skuId === undefined ? onlySkuOf(recipes.data ?? []) : (skuId ?? noProduct)
  return <PrintForm {...props} skus={known} firstProduct={first} />
}

/** The SKU of the only recipe of a file, where it names one. */
function onlySkuOf(recipes: readonly Recipe[]): string | null {
  const [only, another] = recipes
  return another ? null : (only?.product_sku_id ?? null)
}

interface PrintFormProps extends PrintDialogProps {
  skus: readonly Sku[]
  firstProduct: string | null
}

function PrintForm({ request, printers, onClose, onQueued, skus, firstProduct }: PrintFormProps) {
  const { file } = request
  const queryClient = useQueryClient()
  const form = useForm<FormValues>({
    initialValues: {
      product: firstProduct ?? (skus.length === 0 ? noProduct : null),
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
  const { product } = form.values
  const skuId = product === null || product === noProduct ? undefined : product
  const ofSku = useQuery({ ...recipesOfFileQuery(file.id, skuId), enabled: skuId !== undefined })
  const recipe = skuId === undefined ? undefined : ofSku.data?.[0]
  const save = useMutation({
    mutationFn: (body: NewJob) => api.call('POST /jobs', { body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['jobs'] }),
  })
  const bodyOf = (values: FormValues) => jobOf(values, file.id, skuId, recipe)
  const { submit, problem } = useFormSubmit({ form, mutation: save, body: bodyOf, onDone: onQueued })
  const { number_of_units, quantity_per_print, color } = form.values
  const perPlate = recipe?.units_per_plate ?? quantity_per_print
  // A number field that is being typed into may be empty.
  const isWhole = [number_of_units, perPlate].every((value) => Number.isInteger(value) && value > 0)
  const isKnown = skuId === undefined || ofSku.isSuccess
  return (
    <Modal opened onClose={onClose} title={t('Print {name}', { name: file.name })} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <PrintPreview fileId={file.id} job={isWhole && isKnown ? bodyOf(form.values) : undefined} />
          <FormProblem problem={problem} />
          {skus.length > 0 && (
            <Select
              label={t('Product')}
              description={t('Its units go into stock when the job is done')}
              placeholder={t('Choose the product or SKU')}
              data={[{ value: noProduct, label: t('No product') }, ...skus.map(optionOf)]}
              searchable
              required
              allowDeselect={false}
              nothingFoundMessage={t('No SKU of this name')}
              {...form.getInputProps('product')}
            />
          )}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NumberInput
              label={t('Units')}
              description={t('Pieces needed')}
              min={1}
              max={1_000_000}
              allowDecimal={false}
              required
              data-autofocus
              {...form.getInputProps('number_of_units')}
            />
            <NumberInput
              label={t('Units per plate')}
              description={recipe ? t('Set by the recipe') : t('Pieces that one print yields')}
              min={1}
              max={100_000}
              allowDecimal={false}
              required
              {...form.getInputProps('quantity_per_print')}
              {...(recipe && { value: perPlate, disabled: true })}
            />
            <Select
              label={t('Printer')}
              placeholder={t('Any printer that fits')}
              data={[...printers]}
              searchable
              clearable
              nothingFoundMessage={t('No printer of this name')}
              {...form.getInputProps('printer_id')}
            />
            <Select
              label={t('Priority')}
              data={[...priorityOptions]}
              allowDeselect={false}
              {...form.getInputProps('priority')}
            />
            <TextInput
              label={t('Filament')}
              placeholder={t('Set by the file')}
              {...form.getInputProps('filament_type')}
            />
            <TextInput label={t('Colour')} placeholder={t('Any')} {...form.getInputProps('color')} />
            <MomentInput label={t('Due')} {...form.getInputProps('due_date')} />
          </SimpleGrid>
          {color.trim() !== '' && (
            <Checkbox
              label={t('Another colour will do, too')}
              {...form.getInputProps('any_color', { type: 'checkbox' })}
            />
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={save.isPending}>
              {t('Add to the queue')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

type NewJob = BodyOf<'POST /jobs'>

/** What is asked of the service: by the recipe, where there is one, else by the file. What is left empty the service decides. */
function jobOf(values: FormValues, fileId: string, skuId: string | undefined, recipe: Recipe | undefined): NewJob {
  const { printer_id, due_date, filament_type, color, any_color, quantity_per_print, number_of_units, priority } =
    values
  return {
    ...(recipe ? { recipe_id: recipe.id } : { print_file_id: fileId, quantity_per_print }),
    ...(skuId !== undefined && { product_sku_id: skuId }),
    number_of_units,
    priority,
    ...(printer_id !== null && { printer_id }),
    ...(due_date !== null && { due_date }),
    ...(filament_type.trim() !== '' && { filament_type: filament_type.trim() }),
    ...(color.trim() === '' ? {} : { color: color.trim(), any_color }),
  }
}

function optionOf({ id, sku, color, filament_type }: Sku): { value: string; label: string } {
  const what = [color, filament_type].filter(Boolean).join(' ')
  return { value: id, label: what === '' ? sku : `${sku} · ${what}` }
}
