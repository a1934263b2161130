/** The middle value; of an even number of values the mean of the middle two. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The exponent p of the least-squares fit of y = c x^p. */
export function fittedExponent(points) {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (i) => logs.reduce((sum, point) => sum + point[i], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return covariance / logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}
