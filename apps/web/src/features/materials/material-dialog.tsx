import { ColorInput, Modal, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { changedFields } from '../../lib/changed-fields.ts'
import { t } from '../../lib/i18n/t.ts'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { kindWords, type Material, type MaterialKind, nameOf } from './material-kinds.ts'
import { type MaterialValues, materialBodyOf, materialValuesOf } from './material-values.ts'
import { addMaterial, changeMaterial } from './materials.api.ts'

interface MaterialDialogProps {
  kind: MaterialKind
  /** Undefined: a new one. */
  material?: Material
  /** What the form of a new one begins with; left out: what is usual. */
  begin?: MaterialValues
  /** After a new one is added, with it: what comes of it besides. */
  onAdded?: (added: Material) => void
  onClose: () => void
}

/** Adds a material, or changes what is said of one. */
export function MaterialDialog({ kind, material, begin, onAdded, onClose }: MaterialDialogProps) {
  const queryClient = useQueryClient()
  const isFilament = kind === 'filament'
  const initialValues = begin ?? materialValuesOf(kind, material)
  const form = useForm({ initialValues })
  const save = useMutation({
    mutationFn: async (values: MaterialValues): Promise<Material> => {
      if (!material) return addMaterial(kind, materialBodyOf(kind, values, true))
      const body = changedFields(materialBodyOf(kind, initialValues, false), materialBodyOf(kind, values, false))
      return Object.keys(body).length === 0 ? material : changeMaterial(kind, material.id, body)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['materials'] }),
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: (values) => values,
    done: (saved) =>
      material ? t('{name} is saved', { name: nameOf(saved) }) : t('{name} is added', { name: nameOf(saved) }),
    onDone: (saved) => {
      onClose()
      if (!material) onAdded?.(saved)
    },
    fieldErrors: ({ details }) => {
      // The form knows what is left by one name for all kinds.
      const texts = (details as Record<string, string[]> | undefined) ?? {}
      const left = texts.remaining_grams ?? texts.remaining_units
      return left && { remaining: left.join(', ') }
    },
  })
  const left = isFilament ? t('Left on it, in grams') : t('Pieces in stock')
  return (
    <Modal
      opened
      onClose={onClose}
      title={material ? t('Edit {name}', { name: nameOf(material) }) : kindWords[kind].add}
      size="lg"
    >
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {!isFilament && (
              <TextInput label={t('Name')} required maxLength={200} data-autofocus {...form.getInputProps('name')} />
            )}
            <TextInput
              label={t('Type')}
              placeholder={isFilament ? t('Such as PLA') : t('Such as screw')}
              required
              maxLength={100}
              {...(isFilament && { 'data-autofocus': true })}
              {...form.getInputProps('type')}
            />
            <TextInput label={t('Brand')} maxLength={100} {...form.getInputProps('brand')} />
            <TextInput label={t('Colour')} maxLength={50} {...form.getInputProps('color')} />
            {isFilament && (
              <ColorInput
                label={t('Colour code')}
                placeholder="#RRGGBB"
                withEyeDropper={false}
                fixOnBlur={false}
                {...form.getInputProps('hex_code')}
              />
            )}
            {!isFilament && (
              <TextInput
                label={t('Size')}
                placeholder={t('Such as M3x8')}
                maxLength={100}
                {...form.getInputProps('size')}
              />
            )}
            <NumberInput
              label={t('Diameter in mm')}
              min={0}
              max={isFilament ? 5 : 10_000}
              step={0.05}
              {...form.getInputProps('diameter')}
            />
            {!material && (
              <NumberInput label={left} min={0} max={1_000_000} required {...form.getInputProps('remaining')} />
            )}
            {isFilament && (
              <NumberInput
                label={t('Grams on a full spool')}
                min={0}
                max={100_000}
                {...form.getInputProps('spool_weight_grams')}
              />
            )}
            <NumberInput
              label={isFilament ? t('Low at, in grams') : t('Low at')}
              description={t('At or below it counts as low')}
              min={0}
              max={1_000_000}
              {...form.getInputProps('low_threshold')}
            />
            <TextInput
              label={t('Place')}
              placeholder={t('Such as shelf 3')}
              maxLength={200}
              {...form.getInputProps('location')}
            />
          </SimpleGrid>
          <FormButtons label={material ? t('Save') : kindWords[kind].add} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}
