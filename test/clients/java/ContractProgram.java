package remitgraph.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import remitgraph.Pages;
import remitgraph.RemitgraphClient;
import remitgraph.RemitgraphException;
import remitgraph.Retries;
import remitgraph.VerifyWebhook;
import remitgraph.partner.CreateLink;
import remitgraph.partner.LinksApi;
import remitgraph.partner.LinksData;
import remitgraph.partner.LinksDataItemsInner;
import remitgraph.partner.PartnerApi;
import remitgraph.partner.PreQuoteLite;
import remitgraph.remittance.RemittanceApi;
import remitgraph.remittance.RequestMoneyFull;
import remitgraph.requestmoney.ApiClient;
import remitgraph.requestmoney.CancelRequestMoney;
import remitgraph.requestmoney.CreateRequestMoney;
import remitgraph.requestmoney.RequestMoneyApi;
import remitgraph.requestmoney.SandboxApi;
import remitgraph.requestmoney.SimulateRequestMoneyStatus;

/**
 * A program that makes calls with the generated clients and the layer. It reads a call a line, and writes its answer as a line.
 * Its argument is the address of the server.
 */
public final class ContractProgram {
    private static final ObjectMapper JSON = ApiClient.createDefaultObjectMapper();

    private final RemitgraphClient client;
    private final JsonNode asked;

    private ContractProgram(String address, JsonNode asked) {
        Retries retries = new Retries(4, Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofSeconds(60));
        HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        this.client = new RemitgraphClient(address, asked.path("key").asText(), retries, http);
        this.asked = asked;
    }

    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            byte[] answer = JSON.writeValueAsBytes(new ContractProgram(args[0], JSON.readTree(line)).answer());
            System.out.write(answer, 0, answer.length);
            System.out.println();
        }
    }

    /** Has the typed answer as value, or status, code and message of the error. */
    private Map<String, Object> answer() {
        Map<String, Object> answer = new HashMap<>();
        try {
            answer.put("value", perform());
        } catch (RemitgraphException refused) {
            answer.putAll(Map.of("status", refused.status(), "code", refused.code(), "message", refused.getMessage()));
        } catch (Exception error) {
            answer.put("message", error.toString());
        }
        return answer;
    }

    private Object perform() throws Exception {
        String id = asked.path("id").asText();
        switch (asked.path("operation").asText()) {
            case "createRequestMoney":
                String key = asked.path("idempotencyKey").asText();
                return requestMoney().createRequestMoney(read(CreateRequestMoney.class), key.isEmpty() ? null : key);
            case "getRequestMoney":
                return requestMoney().getRequestMoney(id);
            case "cancelRequestMoney":
                boolean isEmpty = asked.path("body").asText().isEmpty();
                CancelRequestMoney reason = isEmpty ? new CancelRequestMoney() : read(CancelRequestMoney.class);
                return requestMoney().cancelRequestMoney(id, reason);
            case "simulateRequestMoneyStatus":
                SandboxApi sandbox = new SandboxApi(requestMoneyClient());
                return sandbox.simulateRequestMoneyStatus(id, read(SimulateRequestMoneyStatus.class));
            case "requestMoneyFull":
                return new RemittanceApi(remittanceClient()).requestMoneyFull(read(RequestMoneyFull.class));
            case "getMe":
                return new PartnerApi(partnerClient()).getMe();
            case "preQuoteLite":
                return new PartnerApi(partnerClient()).preQuoteLite(read(PreQuoteLite.class));
            case "createLink":
                return new LinksApi(partnerClient()).createLink(read(CreateLink.class));
            case "getLink":
                return new LinksApi(partnerClient()).getLink(id);
            case "allLinks":
                return allLinks();
            case "verifyWebhook":
                return verifyWebhook();
            default:
                throw new IllegalArgumentException("The program has no operation " + asked.path("operation"));
        }
    }

    /** The references of all links, by pages of one. */
    private List<String> allLinks() {
        LinksApi api = new LinksApi(partnerClient());
        List<String> references = new ArrayList<>();
        for (LinksDataItemsInner link : new Pages<LinksDataItemsInner>(page -> {
            LinksData data = api.listLinks(page, 1, null, null, null, null, null).getData();
            return new Pages.Page<>(data.getItems(), data.getPagination().getTotalPages());
        })) {
            references.add(link.getReferenceId());
        }
        return references;
    }

    private String verifyWebhook() throws Exception {
        Map<String, List<String>> headers = new HashMap<>();
        asked.path("headers").properties().forEach(
                header -> headers.put(header.getKey(), List.of(header.getValue().path(0).asText())));
        byte[] body = asked.path("body").asText().getBytes(StandardCharsets.UTF_8);
        VerifyWebhook.verify(
                VerifyWebhook.Scheme.REQUEST_MONEY, headers, body, List.of(asked.path("secret").asText()));
        return "verified";
    }

    private <T> T read(Class<T> type) throws Exception {
        return JSON.readValue(asked.path("body").asText(), type);
    }

    private RequestMoneyApi requestMoney() {
        return new RequestMoneyApi(requestMoneyClient());
    }

    private ApiClient requestMoneyClient() {
        return new ApiClient(null, JSON, client.address()) {
            @Override
            public HttpClient getHttpClient() {
                return client;
            }
        };
    }

    private remitgraph.remittance.ApiClient remittanceClient() {
        return new remitgraph.remittance.ApiClient(null, JSON, client.address()) {
            @Override
            public HttpClient getHttpClient() {
                return client;
            }
        };
    }

    private remitgraph.partner.ApiClient partnerClient() {
        return new remitgraph.partner.ApiClient(null, JSON, client.address()) {
            @Override
            public HttpClient getHttpClient() {
                return client;
            }
        };
    }
}
