import { useNavigate } from '@tanstack/react-router'
import { SearchField } from '../../ui/forms/search-field.tsx'

export function FileSearch({ search }: { search: string }) {
  const navigate = useNavigate()
  return (
    <SearchField
      aria-label="Search files"
      placeholder="Search by name"
      mb="sm"
      maw="24rem"
      value={search}
      onSearch={(text) => void navigate({ to: '/files', search: text === '' ? {} : { search: text }, replace: true })}
    />
  )
}
