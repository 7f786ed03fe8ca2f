/** Answers how many files and connections the system lets this process have open; infinite where it does not say. */
export function mostOpenFiles(): number {
  // The names of all addresses that it is connected to would be looked up; the types of Node do not know that it can be left out.
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean }
  const { excludeNetwork } = report
  report.excludeNetwork = true
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  report.excludeNetwork = excludeNetwork
  const most = userLimits?.open_files?.soft
  return typeof most === 'number' ? most : Number.POSITIVE_INFINITY
}
