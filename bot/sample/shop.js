const shelf = document.querySelector("#shelf");

function minutes(seconds) {
  const whole = Math.floor(seconds / 60);
  const rest = String(seconds % 60).padStart(2, "0");
  return `${whole}:${rest}`;
}

function card(tea) {
  const line = document.createElement("div");
  line.className = "tea";
  line.innerHTML = `<span>${tea.name} <small>${tea.degrees} °C, ${minutes(tea.seconds)}</small></span>
    <strong>${(tea.cents / 100).toFixed(2)} €</strong>`;
  return line;
}

fetch("teas.json")
  .then((answer) => answer.json())
  .then((teas) => teas.forEach((tea) => shelf.append(card(tea))));
