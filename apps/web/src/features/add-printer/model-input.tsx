import { Autocomplete, type AutocompleteProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { printerModelsQuery } from '../../lib/api/shared-queries.ts'
import type { ConnectionType } from '../../lib/connections/connection-families.ts'
import { t } from '../../lib/i18n/t.ts'

/** A model from the catalogue, those of this family first; any other name may be typed, too. */
export function ModelInput({ type, ...more }: AutocompleteProps & { type: ConnectionType }) {
  const { data: models = [] } = useQuery(printerModelsQuery())
  const names = models.map(({ name, connection_types }) => ({ name, fits: connection_types.includes(type) }))
  const fitting = names.filter(({ fits }) => fits).map(({ name }) => name)
  const others = names.filter(({ fits }) => !fits).map(({ name }) => name)
  const groups = [
    { group: t('Models of this kind'), items: fitting },
    { group: t('Others'), items: others },
  ].filter(({ items }) => items.length > 0)
  return (
    <Autocomplete
      label={t('Model')}
      description={t('Decides which files fit, and its limits')}
      required
      limit={60}
      maxDropdownHeight={260}
      data={groups}
      {...more}
    />
  )
}
