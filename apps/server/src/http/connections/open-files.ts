/** How many files and connections the system lets this process have open; infinite where it does not say. */
export function mostOpenFiles(): number {
  const { report } = process
  // The names of all addresses that it is connected to would be looked up.
  const { excludeNetwork } = report
  report.excludeNetwork = true
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  report.excludeNetwork = excludeNetwork
  const most = userLimits?.open_files?.soft
  return typeof most === 'number' ? most : Number.POSITIVE_INFINITY
}
