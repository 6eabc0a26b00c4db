/** Returns the start of the period that contains a time. A period is a number of months in UTC. */
export function getPeriodStart(time: number, months: number): number {
  const month = getMonth(time);
  return getMonthStart(month - (month % months));
}

/** Returns the end of the period that contains a time, which is the start of the next one. */
export function getPeriodEnd(time: number, months: number): number {
  const month = getMonth(time);
  return getMonthStart(month - (month % months) + months);
}

/** Returns the number of a month since year 0. */
function getMonth(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function getMonthStart(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12);
}
